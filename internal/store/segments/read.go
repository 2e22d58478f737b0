package segments

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"sync/atomic"

	"github.com/parquet-go/parquet-go/encoding/delta"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"footfall/internal/disk"
)

// This file reads what write.go wrote. It stands in for the library's readers because questions read codes, not
// values, of a few columns and row ranges, into memory that is used again.

// errDamaged means that a file is not as it was written. The file is left out of answers, and named.
var errDamaged = errors.New("file is damaged")

// A tableFile is an open file. Its methods may be called at the same time.
type tableFile struct {
	f       disk.File
	info    fileInfo
	columns []column
	groups  []groupMeta
	cache   *cache                        // of dictionaries; nil for none
	slots   []atomic.Pointer[cachedTexts] // in it, by row group and column
}

type groupMeta struct {
	rows   int
	chunks []chunkMeta
}

// A chunkMeta is where a column of a row group lies: the page with its dictionary, then the page with its rows.
type chunkMeta struct {
	offset   int64
	dictSize int32 // 0 if there is none
	size     int32 // of both
	zstd     bool  // the dictionary is packed
}

func openTable(f disk.File, info fileInfo, columns []column, c *cache) (*tableFile, error) {
	t := &tableFile{f: f, info: info, columns: columns, cache: c}
	if err := t.readFooter(); err != nil {
		return nil, fmt.Errorf("read %s: %w", info.Name, err)
	}
	t.slots = make([]atomic.Pointer[cachedTexts], len(t.groups)*len(columns))
	return t, nil
}

// close lets go of the file.
func (t *tableFile) close() {
	t.cache.drop(t.slots)
	t.f.Close()
}

func (t *tableFile) readFooter() error {
	size, err := t.f.Size()
	if err != nil {
		return err
	}
	if size != t.info.Size || size < 12 {
		return fmt.Errorf("%w: it has %d bytes of %d", errDamaged, size, t.info.Size)
	}
	var tail [8]byte
	if err := t.readAt(tail[:], size-8); err != nil {
		return err
	}
	n := int64(binary.LittleEndian.Uint32(tail[:]))
	if string(tail[4:]) != parquetMagic || n > size-12 {
		return fmt.Errorf("%w: its end is not that of a Parquet file", errDamaged)
	}
	footer := make([]byte, n)
	if err := t.readAt(footer, size-8-n); err != nil {
		return err
	}
	if crc32.Checksum(footer, castagnoli) != t.info.Footer {
		return fmt.Errorf("%w: its metadata has another checksum", errDamaged)
	}
	var meta format.FileMetaData
	if err := thrift.Unmarshal(new(thrift.CompactProtocol), footer, &meta); err != nil {
		return fmt.Errorf("%w: %w", errDamaged, err)
	}
	for _, g := range meta.RowGroups {
		if len(g.Columns) != len(t.columns) {
			return fmt.Errorf("%w: it has %d columns of %d", errDamaged, len(g.Columns), len(t.columns))
		}
		m := groupMeta{rows: int(g.NumRows), chunks: make([]chunkMeta, len(g.Columns))}
		for i, c := range g.Columns {
			m.chunks[i] = chunkMeta{
				offset: c.MetaData.DataPageOffset, size: int32(c.MetaData.TotalCompressedSize),
				zstd: c.MetaData.Codec == format.Zstd,
			}
			if dict := c.MetaData.DictionaryPageOffset; dict != 0 {
				m.chunks[i].offset = dict
				m.chunks[i].dictSize = int32(c.MetaData.DataPageOffset - dict)
			}
		}
		t.groups = append(t.groups, m)
	}
	return nil
}

func (t *tableFile) readAt(b []byte, off int64) error {
	n, err := t.f.ReadAt(b, off)
	if n == len(b) {
		return nil
	}
	if err == io.EOF {
		return fmt.Errorf("%w: it is too short", errDamaged)
	}
	return err
}

// A group is a row group being read. Columns are loaded when they are asked for, and stay. It is not safe for
// concurrent use.
type group struct {
	file   *tableFile
	index  int
	meta   *groupMeta
	chunks []chunk
	memory *arena
	once   bool // its dictionaries are not kept for others
}

type chunk struct {
	dict   bool    // loaded: values or ints
	values texts   // dictionary of texts
	ints   []int64 // dictionary of integers
	rows   bool    // loaded: what follows
	page   []byte  // the encoded rows, followed by pagePadding bytes
	width  uint    // of codes
	i32    []int32 // decoded, where asked for
	i64    []int64
}

// group begins to read a row group. Its pages and decoded columns are taken from memory, if that is not nil, and are good until
// memory is reset; dictionaries stay good for ever.
func (t *tableFile) group(i int, memory *arena) *group {
	return &group{file: t, index: i, meta: &t.groups[i], chunks: make([]chunk, len(t.columns)), memory: memory}
}

func (g *group) rows() int { return g.meta.rows }

// chunk is a column with its rows loaded.
func (g *group) chunk(col int) (*chunk, error) {
	c := &g.chunks[col]
	if !c.rows {
		if err := g.loadRows(col, c); err != nil {
			return nil, g.fail(col, err)
		}
		c.rows = true
	}
	return c, nil
}

// dictionary is a column with its dictionary loaded.
func (g *group) dictionary(col int) (*chunk, error) {
	c := &g.chunks[col]
	if !c.dict {
		if err := g.loadDictionary(col, c); err != nil {
			return nil, g.fail(col, err)
		}
		c.dict = true
	}
	return c, nil
}

func (g *group) loadDictionary(col int, c *chunk) error {
	if g.memory == nil || g.once || g.file.columns[col].typ != text { // housekeeping reads everything once; that is nothing to keep
		return g.readDictionary(col, c)
	}
	slot := g.slot(col)
	var ok bool
	if c.values, ok = slot.Load().get(); ok {
		return nil
	}
	err := g.readDictionary(col, c)
	if err == nil {
		c.values = g.file.cache.put(slot, c.values.list)
	}
	return err
}

// readDictionary reads a dictionary from the disk.
func (g *group) readDictionary(col int, c *chunk) error {
	meta := g.meta.chunks[col]
	if meta.dictSize == 0 {
		return errPage
	}
	b := make([]byte, meta.dictSize)
	if err := g.file.readAt(b, meta.offset); err != nil {
		return err
	}
	page, h, err := readPage(b, meta.zstd, nil)
	if err != nil {
		return err
	}
	n := int(h.DictionaryPageHeader.V.NumValues)
	if g.file.columns[col].typ == text {
		c.values.list, err = readTexts(page, n)
	} else {
		c.ints, err = readInts(page, n, physicalType(g.file.columns[col]))
	}
	return err
}

func (g *group) loadRows(col int, c *chunk) error {
	meta := g.meta.chunks[col]
	b := g.memory.bytes(int(meta.size-meta.dictSize) + pagePadding)
	b = b[:len(b)-pagePadding]
	if err := g.file.readAt(b, meta.offset+int64(meta.dictSize)); err != nil {
		return err
	}
	page, _, err := readPage(b, false, g.memory)
	if err != nil {
		return err
	}
	if meta.dictSize > 0 {
		if len(page) == 0 {
			return errPage
		}
		c.width, page = uint(page[0]), page[1:]
		if c.width > 31 {
			return errPage
		}
	}
	c.page = page
	return nil
}

// codes are the codes of the rows from ≤ i < to in column col.
func (g *group) codes(col, from, to int) ([]int32, error) {
	c, err := g.chunk(col)
	if err != nil {
		return nil, err
	}
	codes, err := decodeCodes(g.memory.int32s(to-from+codesSlack), c.page, c.width, g.rows(), from, to)
	if err != nil {
		return nil, g.fail(col, err)
	}
	return codes, nil
}

// rowsOf are the rows from ≤ i < to, counted from from, with a code in column col that byCode has 1 for. A column with no such
// code is not even read.
func (g *group) rowsOf(col int, byCode []uint8, from, to int) (bitmap, error) {
	n := bytes.Count(byCode, []byte{1})
	if n == 0 {
		return newBitmap(to-from, g.memory), nil
	}
	c, err := g.chunk(col)
	if err != nil {
		return bitmap{}, err
	}
	if n > 1 || c.width < minFindWidth || c.width > maxFindWidth {
		codes, err := g.codes(col, from, to)
		if err != nil {
			return bitmap{}, err
		}
		return bitmapOf(codes, byCode, g.memory), nil
	}
	found := newBitmap(to-from, g.memory)
	if err := findCode(&found, c.page, c.width, g.rows(), from, int32(bytes.IndexByte(byCode, 1))); err != nil {
		return bitmap{}, g.fail(col, err)
	}
	return found, nil
}

// pick selects those of the events of some visits, which count from from, with a code in column col that byCode has 1 for.
func (g *group) pick(col int, byCode []uint8, of *visitRuns, from, to int) (selection, error) {
	c, err := g.chunk(col)
	if err != nil {
		return selection{}, err
	}
	packed, whole := packedWhole(c.page, c.width, to)
	code, n := int32(bytes.IndexByte(byCode, 1)), bytes.Count(byCode, []byte{1})
	if whole && n == 1 && code>>c.width == 0 && c.width >= minFindWidth && c.width <= maxPickWidth {
		f := newCodeFinder(code, c.width, 4)
		return f.pick(packed, from, of, g.memory), nil
	}
	codes, err := g.codes(col, from, to)
	if err != nil {
		return selection{}, err
	}
	return of.pick(codes, byCode, g.memory), nil
}

// strings are the codes of the rows from ≤ i < to in column col, and the texts they stand for. The group must have no memory.
func (g *group) strings(col, from, to int) ([]int32, []string, error) {
	c, err := g.dictionary(col)
	if err != nil {
		return nil, nil, err
	}
	codes, err := g.codes(col, from, to)
	return codes, c.values.list, err
}

// texts are all rows of a plain column.
func (g *group) texts(col int) (texts, error) {
	slot := g.slot(col)
	if values, ok := slot.Load().get(); ok {
		return values, nil
	}
	var c chunk
	memory := g.memory
	g.memory = nil // the texts stay
	err := g.loadRows(col, &c)
	g.memory = memory
	if err != nil {
		return texts{}, g.fail(col, err)
	}
	values, err := readTexts(c.page, g.rows())
	if err != nil {
		return texts{}, g.fail(col, err)
	}
	return g.file.cache.put(slot, values), nil
}

// slot is where the cache keeps the texts of a column.
func (g *group) slot(col int) *atomic.Pointer[cachedTexts] {
	return &g.file.slots[g.index*len(g.file.columns)+col]
}

// ints are the values of the rows from ≤ i < to in a coded column.
func (g *group) ints(col, from, to int) ([]int64, error) {
	var runs []valueRun
	err := g.eachRun(col, func(value int64, n int) { runs = append(runs, valueRun{value, n}) })
	return expand(g.memory.int64s(to-from), runs, from, to), err
}

// eachRun calls yield for the values of a coded column in order, each with the number of rows that have it.
func (g *group) eachRun(col int, yield func(value int64, n int)) error {
	c, err := g.dictionary(col)
	if err != nil {
		return err
	}
	if _, err := g.chunk(col); err != nil {
		return err
	}
	var codes []int32
	err = eachRun(c.page, c.width, g.rows(), func(code int32, n int, packed []byte) error {
		if packed == nil {
			if int(code) >= len(c.ints) {
				return errPage
			}
			yield(c.ints[code], n)
			return nil
		}
		var err error
		head := binary.AppendUvarint(nil, uint64((n+7)/8)<<1|1)
		run := append(head, packed[:(n+7)/8*int(c.width)]...)
		run = append(run, make([]byte, pagePadding)...)
		if codes, err = decodeCodes(codes, run[:len(run)-pagePadding], c.width, n, 0, n); err != nil {
			return err
		}
		for i := 0; i < n; {
			j := i + 1
			for j < n && codes[j] == codes[i] {
				j++
			}
			yield(c.ints[codes[i]], j-i)
			i = j
		}
		return nil
	})
	if err != nil {
		return g.fail(col, err)
	}
	return nil
}

// int32s are all rows of a column.
func (g *group) int32s(col int) ([]int32, error) {
	c, err := g.chunk(col)
	if err != nil {
		return nil, err
	}
	if c.i32 != nil {
		return c.i32, nil
	}
	c.i32 = g.memory.int32s(g.rows() + deltaBlock)
	if g.file.columns[col].rare {
		c.i32 = c.i32[:min(len(c.page)/4, g.rows())]
		for i := range c.i32 {
			c.i32[i] = int32(binary.LittleEndian.Uint32(c.page[4*i:]))
		}
	} else {
		c.i32, err = new(delta.BinaryPackedEncoding).DecodeInt32(c.i32, c.page)
	}
	if err != nil || len(c.i32) != g.rows() {
		err = errPage
	}
	if err != nil {
		return nil, g.fail(col, err)
	}
	return c.i32, nil
}

// steps are the rows from < i < to of a column of numbers, counted from from, that are not as the row before.
func (g *group) steps(col, from, to int) (bitmap, error) {
	c, err := g.chunk(col)
	if err != nil {
		return bitmap{}, err
	}
	steps := newBitmap(to-from, g.memory)
	if err := deltaSteps(&steps, c.page, g.rows(), from); err != nil {
		return bitmap{}, g.fail(col, err)
	}
	return steps, nil
}

// int64s are all rows of a column.
func (g *group) int64s(col int) ([]int64, error) {
	c, err := g.chunk(col)
	if err != nil {
		return nil, err
	}
	if c.i64 != nil {
		return c.i64, nil
	}
	c.i64 = g.memory.int64s(g.rows() + deltaBlock)
	if g.file.columns[col].rare {
		c.i64 = c.i64[:min(len(c.page)/8, g.rows())]
		for i := range c.i64 {
			c.i64[i] = int64(binary.LittleEndian.Uint64(c.page[8*i:]))
		}
	} else {
		c.i64, err = new(delta.BinaryPackedEncoding).DecodeInt64(c.i64, c.page)
	}
	if err != nil || len(c.i64) != g.rows() {
		err = errPage
	}
	if err != nil {
		return nil, g.fail(col, err)
	}
	return c.i64, nil
}

// fail says where an error happened.
func (g *group) fail(col int, err error) error {
	return &inFile{g.file.info.Name, fmt.Errorf("column %s: %w", g.file.columns[col].name, err)}
}

// verify reads the pages of a column from the disk.
func (g *group) verify(col int) error {
	var c chunk
	if g.meta.chunks[col].dictSize > 0 {
		if err := g.readDictionary(col, &c); err != nil {
			return g.fail(col, err)
		}
	}
	if err := g.loadRows(col, &c); err != nil {
		return g.fail(col, err)
	}
	return nil
}

// verify compares the whole file with its checksum.
func (t *tableFile) verify() error {
	var sum uint32
	b := make([]byte, 1<<20)
	for at := int64(0); at < t.info.Size; at += int64(len(b)) {
		b = b[:min(int64(len(b)), t.info.Size-at)]
		if err := t.readAt(b, at); err != nil {
			return &inFile{t.info.Name, err}
		}
		sum = crc32.Update(sum, castagnoli, b)
	}
	if sum != t.info.Sum {
		return &inFile{t.info.Name, fmt.Errorf("%w: it has another checksum", errDamaged)}
	}
	return nil
}
