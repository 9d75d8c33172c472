package walk

import (
	"fmt"
	"hash/fnv"
	"path/filepath"
	"strconv"
	"strings"
)

// A Shard is one of Of parts of all payloads, chosen by a hash of their path,
// so that several machines can share one tree without talking. The zero Shard
// is all of it.
type Shard struct {
	I, Of uint64 // I from 1
}

// ParseShard reads "2/4".
func ParseShard(s string) (Shard, error) {
	i, of, ok := strings.Cut(s, "/")
	var sh Shard
	var errI, errOf error
	sh.I, errI = strconv.ParseUint(i, 10, 32)
	sh.Of, errOf = strconv.ParseUint(of, 10, 32)
	if !ok || errI != nil || errOf != nil || sh.I < 1 || sh.I > sh.Of {
		return Shard{}, fmt.Errorf("shard %q: write I/N with I from 1 to N, as in 2/4", s)
	}
	return sh, nil
}

func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.I, s.Of) }

// IsAll reports whether s leaves nothing out.
func (s Shard) IsAll() bool { return s.Of <= 1 }

// has reports whether the payload at path is in the shard. The hash is part of
// what users rely on: the same path is in the same shard on every platform.
func (s Shard) has(path string) bool {
	if s.IsAll() {
		return true
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(filepath.ToSlash(path))) // never fails
	sum := h.Sum64()
	// The low bits of FNV-1a are the weak ones.
	return (sum^sum>>32)%s.Of == s.I-1
}
