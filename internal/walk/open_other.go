//go:build !unix

package walk

// Without these flags, what took a file's place between the look at its kind
// and its opening is found out after the opening.
const (
	noWait   = 0
	noFollow = 0
)
