# PowerShell completion of harden. Load it with:
# harden completion powershell | Out-String | Invoke-Expression

Register-ArgumentCompleter -Native -CommandName harden -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $before = @($commandAst.CommandElements |
        Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
        Select-Object -Skip 1 |
        ForEach-Object { $_.Extent.Text })
    # Windows PowerShell drops empty arguments: the * keeps the last word.
    & harden complete @before "$wordToComplete*" 2>$null |
        ForEach-Object {
            [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
        }
}
