//go:build unix && !linux && !darwin

package probe

// maxrssUnit is what ru_maxrss counts, in bytes.
const maxrssUnit = 1 << 10
