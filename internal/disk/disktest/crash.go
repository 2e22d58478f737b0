package disktest

import (
	"maps"
	"math/rand/v2"
	"slices"
)

// CrashImage is what the disk could hold if the power had gone after the first ops operations (Ops counts them), as a
// file system to start again on. It is a Recorder too, so that a crash during the recovery can be looked at as well. The
// same seed makes the same image.
//
// Half of all images treat every file and name that was not synced alike (all there, all missing, or as if everything
// had reached the disk in order up to some point); the others decide about each by itself.
func (r *Recorder) CrashImage(ops int, rng *rand.Rand) *Recorder {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := crash{log: r.log[:ops], rng: rng, made: map[*node]*node{}, nodes: map[*node]*history{}}
	c.sort()
	c.decide()
	return &Recorder{root: c.directory(r.root)}
}

// fate is how an image treats what was not synced.
type fate uint8

const (
	missing fate = iota
	there
	inOrder // up to some operation
	chance  // each by itself
)

type crash struct {
	log   []record
	rng   *rand.Rand
	names []int // operations on names, in order
	keep  map[int]bool
	fate  fate
	until int // of inOrder: the first operation that did not reach the disk
	nodes map[*node]*history
	made  map[*node]*node
}

// A history is what happened to one node.
type history struct {
	data    []int // writes and truncations
	synced  int   // how many of them were synced
	names   []int // directory: operations on its names
	settled int   // how many of them were synced
	birth   int   // the operation that made it
	parent  *node
}

func (c *crash) history(n *node) *history {
	h := c.nodes[n]
	if h == nil {
		h = &history{birth: -1}
		c.nodes[n] = h
	}
	return h
}

// sort hands the operations to the nodes that they concern.
func (c *crash) sort() {
	c.keep = map[int]bool{}
	for i := range c.log {
		op := &c.log[i]
		switch op.op {
		case Write, Truncate:
			h := c.history(op.node)
			h.data = append(h.data, i)
		case Sync:
			h := c.history(op.node)
			h.synced = len(h.data)
		case SyncDir:
			c.settle(op.node)
		default:
			c.names = append(c.names, i)
			h := c.history(op.dir)
			h.names = append(h.names, i)
			if op.op == Rename && op.to != op.dir {
				h := c.history(op.to)
				h.names = append(h.names, i)
			}
			if op.op == MkdirAll {
				h := c.history(op.node)
				h.birth, h.parent = i, op.dir
			}
		}
	}
}

// settle makes the names in a directory permanent, and the directory itself with those above it.
func (c *crash) settle(dir *node) {
	h := c.history(dir)
	for ; h.settled < len(h.names); h.settled++ {
		c.keep[h.names[h.settled]] = true
	}
	for h.birth >= 0 {
		c.keep[h.birth] = true
		h = c.history(h.parent)
	}
}

// decide chooses the fate of what was not synced, and which operations on names reached the disk.
func (c *crash) decide() {
	c.fate = chance
	if c.rng.IntN(2) == 0 {
		c.fate = fate(c.rng.IntN(3))
	}
	c.until = c.rng.IntN(len(c.log) + 1)
	if c.rng.IntN(2) == 0 {
		c.until = len(c.log) - min(len(c.log), c.rng.IntN(10))
	}
	for _, i := range c.names {
		if !c.keep[i] {
			c.keep[i] = c.reached(i)
		}
	}
}

// reached decides about one operation that was not synced.
func (c *crash) reached(i int) bool {
	switch c.fate {
	case there:
		return true
	case inOrder:
		return i < c.until
	case chance:
		return c.rng.IntN(2) == 0
	}
	return false
}

// directory is what is left of a directory and all below it.
func (c *crash) directory(n *node) *node {
	if d := c.made[n]; d != nil {
		return d
	}
	entries := maps.Clone(n.baseEntries)
	for _, i := range c.history(n).names {
		if c.keep[i] {
			c.log[i].apply(n, entries)
		}
	}
	d := &node{entries: map[string]*node{}, changed: n.changed}
	c.made[n] = d
	for _, name := range slices.Sorted(maps.Keys(entries)) { // sorted, so that a seed means one image
		if e := entries[name]; e.isDir() {
			d.entries[name] = c.directory(e)
		} else {
			d.entries[name] = c.file(e)
		}
	}
	d.baseEntries = maps.Clone(d.entries)
	return d
}

// apply does again to the names of one directory what the operation did.
func (op *record) apply(dir *node, entries map[string]*node) {
	if op.dir == dir {
		if op.op == Create || op.op == MkdirAll {
			entries[op.name] = op.node
		} else if entries[op.name] == op.node {
			delete(entries, op.name)
		}
	}
	if op.op == Rename && op.to == dir {
		entries[op.toName] = op.node
	}
}

// file is what is left of a file.
func (c *crash) file(n *node) *node {
	if f := c.made[n]; f != nil {
		return f
	}
	h := c.history(n)
	data := slices.Clone(n.baseData)
	for i, at := range h.data {
		op := &c.log[at]
		switch {
		case i >= h.synced && !c.reached(at):
			if c.fate == inOrder {
				if op.op == Write && c.rng.IntN(2) == 0 {
					data = c.tear(data, op)
				}
				return c.keepFile(n, data)
			}
		case op.op == Truncate:
			data = resize(data, op.position)
		case i >= h.synced && c.fate == chance && c.rng.IntN(2) == 0:
			data = c.tear(data, op)
		default:
			data = overwrite(data, op.position, op.data)
		}
	}
	return c.keepFile(n, data)
}

func (c *crash) keepFile(n *node, data []byte) *node {
	f := &node{data: data, changed: n.changed}
	f.baseData = slices.Clone(data)
	c.made[n] = f
	return f
}

const sector = 512

// tear does a part of a write: its beginning, some of its sectors, or only the room for it. New room that was not written
// to holds zeros or what some other file once left there.
func (c *crash) tear(data []byte, op *record) []byte {
	end := op.position + int64(len(op.data))
	how := c.rng.IntN(4)
	if how == 0 {
		return overwrite(data, op.position, op.data[:c.rng.IntN(len(op.data)+1)])
	}
	old := len(data)
	data = resize(data, max(end, int64(old)))
	switch how {
	case 1:
		return data
	case 2:
		for i := old; i < len(data); i++ {
			data[i] = byte(c.rng.Uint32())
		}
	}
	for from := op.position; from < end; {
		to := min((from/sector+1)*sector, end)
		if c.rng.IntN(2) == 0 {
			copy(data[from:to], op.data[from-op.position:to-op.position])
		}
		from = to
	}
	return data
}
