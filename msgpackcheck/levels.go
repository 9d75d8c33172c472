package msgpackcheck

const (
	// firstLevels is how many levels a scan has room for: the default limit.
	firstLevels = 128
	// pageLevels is how many levels each page behind them holds, in 64 KiB.
	pageLevels = 8192
	// keptPages is how many pages a pooled scan keeps.
	keptPages = 1
	// firstPlaces is how many levels can be named in a pointer at first.
	firstPlaces = 32
)

// levels is the stack of the containers around the innermost: for each, twice
// the values that it is still owed, plus 1 for a map. It grows by pages, which
// are never copied, so a level costs its 8 bytes. One page is at hand; push and
// close go from page to page.
type levels struct {
	first [firstLevels]uint64
	pages []*[pageLevels]uint64 // those behind it
	// present holds the levels from floor on.
	present []uint64
	floor   int
}

// clear goes back to the first page.
func (l *levels) clear() { l.present, l.floor = l.first[:], 0 }

// turnTo makes the page with this level the present one. The level is at most
// one above the highest that has a page.
func (l *levels) turnTo(level int) {
	if level < firstLevels {
		l.clear()
		return
	}
	n := (level - firstLevels) / pageLevels
	if n == len(l.pages) {
		l.pages = append(l.pages, new([pageLevels]uint64))
	}
	l.present, l.floor = l.pages[n][:], firstLevels+n*pageLevels
}

// at returns what is kept at level, on whichever page.
func (l *levels) at(level int) uint64 {
	if level < firstLevels {
		return l.first[level]
	}
	level -= firstLevels
	return l.pages[level/pageLevels][level%pageLevels]
}

// push makes a container that is owed so many values the innermost one.
func (s *scan) push(owes uint64, isMap bool, at int64) {
	if s.depth-s.levels.floor == len(s.levels.present) {
		s.levels.turnTo(s.depth)
	}
	s.levels.present[s.depth-s.levels.floor] = s.innermost()
	s.outer += s.left
	s.left, s.isMap = owes, isMap
	if places := &s.trail.places; s.depth < trailLevels {
		if s.depth == len(*places) {
			*places = append(make([]place, 0, max(firstPlaces, 2*s.depth)), *places...)
			*places = (*places)[:cap(*places)]
		}
		(*places)[s.depth] = place{keyAt: at, total: owes}
	}
	s.depth++
	s.m.Depth = max(s.m.Depth, uint64(s.depth))
}

// innermost returns the innermost container as a page keeps it.
func (s *scan) innermost() uint64 {
	if s.isMap {
		return s.left<<1 | 1
	}
	return s.left << 1
}

// close ends the innermost container, which is owed nothing more.
func (s *scan) close() {
	if s.isMap && s.checks&DuplicateKeys != 0 {
		s.keys.Close(uint32(s.depth))
	}
	s.depth--
	if s.depth < s.levels.floor {
		s.levels.turnTo(s.depth)
	}
	around := s.levels.present[s.depth-s.levels.floor]
	s.left, s.isMap = around>>1, around&1 != 0
	s.outer -= s.left
	if s.sink != nil {
		s.sink.close(s)
	}
}
