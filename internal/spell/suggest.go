package spell

import (
	"fmt"
	"strings"
)

// Closest returns the candidate nearest to word by edit distance, or "" where
// none is near enough to be what was meant.
func Closest(word string, candidates []string) string {
	best, bestAt := "", len(word)/3+1
	for _, c := range candidates {
		if d := distance(strings.ToLower(word), strings.ToLower(c)); d <= bestAt && (best == "" || d < bestAt) {
			best, bestAt = c, d
		}
	}
	return best
}

// Suggestion ends an error message with the closest candidate, if there is one.
func Suggestion(word string, candidates []string) string {
	if c := Closest(word, candidates); c != "" {
		return fmt.Sprintf(": did you mean %s?", c)
	}
	return ""
}

// distance is the Levenshtein distance of two short words in bytes.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
