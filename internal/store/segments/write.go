package segments

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math/bits"
	"path/filepath"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding/delta"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"footfall/internal/disk"
)

// This file writes Parquet from tables. It puts the library's own encodings and metadata together itself, because a
// table has its texts as codes already, and the library's writers would look each of them up again.

const (
	parquetMagic = "PAR1"
	createdBy    = "footfall"
	tempSuffix   = ".tmp"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// A fileInfo is what the manifest knows of a file, enough to tell whether it is whole.
type fileInfo struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	Sum    uint32 `json:"sum"`    // CRC-32C of all bytes, for Verify
	Footer uint32 `json:"footer"` // CRC-32C of the metadata at its end; pages have checksums of their own
}

// A fileWriter writes one Parquet file under a temporary name; finish gives it the real one.
type fileWriter struct {
	fs      disk.FS
	path    string
	f       disk.File
	columns []column
	meta    format.FileMetaData
	size    int64
	sum     uint32
	dict    []byte  // reused
	page    []byte  // reused
	codes   []int32 // reused
	chunk   []byte  // reused
	packing []int   // by column: row groups until packing its rows is tried again; nil packs nothing
}

func createFile(fs disk.FS, path string, columns []column, packed bool) (*fileWriter, error) {
	f, err := fs.Create(path + tempSuffix)
	if err != nil {
		return nil, fmt.Errorf("create %s: %w", filepath.Base(path), err)
	}
	w := &fileWriter{fs: fs, path: path, f: f, columns: columns}
	if packed {
		w.packing = make([]int, len(columns))
	}
	w.meta = format.FileMetaData{Version: 2, CreatedBy: createdBy, Schema: schemaOf(columns)}
	for range columns {
		w.meta.ColumnOrders = append(w.meta.ColumnOrders, format.ColumnOrder{Value: &format.TypeDefinedOrder{}})
	}
	if err := w.write([]byte(parquetMagic)); err != nil {
		w.abandon()
		return nil, err
	}
	return w, nil
}

func (w *fileWriter) write(b []byte) error {
	n, err := w.f.Write(b)
	w.size += int64(n)
	w.sum = crc32.Update(w.sum, castagnoli, b[:n])
	if err != nil {
		return fmt.Errorf("write %s: %w", filepath.Base(w.path), err)
	}
	return nil
}

// writeGroup adds the rows of t as a row group.
func (w *fileWriter) writeGroup(t *table) error {
	if t.n == 0 {
		return nil
	}
	g := format.RowGroup{NumRows: int64(t.n), FileOffset: w.size, Ordinal: int16(len(w.meta.RowGroups))}
	for i := range w.columns {
		chunk, err := w.encode(i, &t.data[i], t.n)
		if err != nil {
			return err
		}
		chunk.NumValues = int64(t.n)
		g.Columns = append(g.Columns, format.ColumnChunk{MetaData: chunk})
		g.TotalByteSize += chunk.TotalUncompressedSize
		g.TotalCompressedSize += chunk.TotalCompressedSize
		if err := w.write(w.chunk); err != nil {
			return err
		}
	}
	w.meta.NumRows += g.NumRows
	w.meta.RowGroups = append(w.meta.RowGroups, g)
	return nil
}

// encode makes the chunk of one column: a page with its dictionary, if it has one, and a page with all rows.
func (w *fileWriter) encode(col int, d *columnData, rows int) (format.ColumnMetaData, error) {
	c := w.columns[col]
	meta := format.ColumnMetaData{Type: physicalType(c), PathInSchema: []string{c.name}, Codec: format.Uncompressed}
	var err error
	w.dict, w.page = w.dict[:0], w.page[:0]
	encoding, values := format.RLEDictionary, 0
	switch c.typ {
	case text:
		values = len(d.dict.values)
		for _, v := range d.dict.values {
			w.dict = binary.LittleEndian.AppendUint32(w.dict, uint32(len(v)))
			w.dict = append(w.dict, v...)
		}
		w.codesPage(d.codes, values)
	case coded:
		dict := w.codeRuns(d.runs)
		values = len(dict)
		for _, v := range dict {
			if meta.Type == format.Int32 {
				w.dict = binary.LittleEndian.AppendUint32(w.dict, uint32(v))
			} else {
				w.dict = binary.LittleEndian.AppendUint64(w.dict, uint64(v))
			}
		}
		meta.Statistics = bounds(dict, meta.Type)
		w.codesPage(w.codes, values)
	case plain:
		encoding = format.Plain
		for _, v := range d.texts {
			w.page = binary.LittleEndian.AppendUint32(w.page, uint32(len(v)))
			w.page = append(w.page, v...)
		}
	case int32s:
		if c.rare {
			encoding = format.Plain
			for _, v := range d.i32 {
				w.page = binary.LittleEndian.AppendUint32(w.page, uint32(v))
			}
			break
		}
		encoding = format.DeltaBinaryPacked
		w.page, err = new(delta.BinaryPackedEncoding).EncodeInt32(w.page, d.i32)
	case int64s:
		if c.rare {
			encoding = format.Plain
			for _, v := range d.i64 {
				w.page = binary.LittleEndian.AppendUint64(w.page, uint64(v))
			}
			break
		}
		encoding = format.DeltaBinaryPacked
		w.page, err = new(delta.BinaryPackedEncoding).EncodeInt64(w.page, d.i64)
	}
	if err != nil {
		return meta, fmt.Errorf("encode column %s: %w", c.name, err)
	}
	err = w.chunkOf(&meta, col, encoding, rows, values)
	return meta, err
}

// chunkOf puts the pages in w.dict and w.page together in w.chunk. A page is packed if that makes it clearly smaller:
// dictionaries mostly are, to a quarter; codes and numbers are dense already, but for columns that are mostly zero.
func (w *fileWriter) chunkOf(meta *format.ColumnMetaData, col int, encoding format.Encoding, rows, values int) error {
	w.chunk = w.chunk[:0]
	dict, page := w.pack(col)
	if dict != nil || page != nil {
		meta.Codec = format.Zstd
		if dict == nil { // a dictionary has no choice of its own
			dict = packAnyway(w.dict)
		}
	}
	if values > 0 {
		meta.DictionaryPageOffset = w.size
		meta.Encoding = append(meta.Encoding, format.Plain)
		err := w.appendPage(&meta.TotalUncompressedSize, w.dict, dict, format.PageHeader{
			Type:                 format.DictionaryPage,
			DictionaryPageHeader: thrift.New(format.DictionaryPageHeader{NumValues: int32(values), Encoding: format.Plain}),
		})
		if err != nil {
			return err
		}
	}
	meta.DataPageOffset = w.size + int64(len(w.chunk))
	meta.Encoding = append(meta.Encoding, encoding)
	err := w.appendPage(&meta.TotalUncompressedSize, w.page, page, format.PageHeader{
		Type: format.DataPageV2,
		DataPageHeaderV2: thrift.New(format.DataPageHeaderV2{
			NumValues: int32(rows), NumRows: int32(rows), Encoding: encoding, IsCompressed: thrift.New(page != nil),
		}),
	})
	meta.TotalCompressedSize = int64(len(w.chunk))
	return err
}

// pack are the packed forms of w.dict and w.page, nil where they do not pay. Rows of a column that did not pay are tried
// again only now and then: that was a tenth of the time to load.
func (w *fileWriter) pack(col int) (dict, page []byte) {
	if w.packing == nil {
		return nil, nil
	}
	dict = pack(w.dict, 3)
	if w.columns[col].typ == plain {
		return nil, pack(w.page, 3)
	}
	if w.packing[col] > 0 || w.columns[col].hot {
		w.packing[col]--
		return dict, nil
	}
	saving := 6
	if w.columns[col].typ == text {
		saving = 4 // unpacking is a larger part of reading codes than of reading numbers
	}
	if page = pack(w.page, saving); page == nil {
		w.packing[col] = 15
	}
	return dict, page
}

// appendPage adds a page with its header to w.chunk: the packed form, if there is one.
func (w *fileWriter) appendPage(total *int64, page, packed []byte, h format.PageHeader) error {
	h.UncompressedPageSize = int32(len(page))
	if packed != nil {
		page = packed
	}
	h.CompressedPageSize = int32(len(page))
	h.CRC = int32(crc32.ChecksumIEEE(page))
	b, err := thrift.Marshal(new(thrift.CompactProtocol), &h)
	if err != nil {
		return fmt.Errorf("encode page header: %w", err)
	}
	*total += int64(len(b)) + int64(h.UncompressedPageSize)
	w.chunk = append(append(w.chunk, b...), page...)
	return nil
}

// codeRuns leaves the code of each value in w.codes and returns the values by code.
func (w *fileWriter) codeRuns(runs []valueRun) []int64 {
	w.codes = w.codes[:0]
	var dict []int64
	index := make(map[int64]int32)
	for _, r := range runs {
		code, ok := index[r.value]
		if !ok {
			code = int32(len(dict))
			index[r.value] = code
			dict = append(dict, r.value)
		}
		for range r.n {
			w.codes = append(w.codes, code)
		}
	}
	return dict
}

func (w *fileWriter) codesPage(codes []int32, values int) {
	width := codeWidth(values)
	w.page = appendCodes(append(w.page[:0], byte(width)), codes, width)
}

// codeWidth is the number of bits of a code: at least one, because some readers stumble over none.
func codeWidth(values int) uint { return uint(max(bits.Len(uint(max(values, 1)-1)), 1)) }

// finish writes the metadata, makes the file permanent and gives it its name. The folder is synced by the caller, once
// for all files of a commit.
func (w *fileWriter) finish() (fileInfo, error) {
	footer, err := thrift.Marshal(new(thrift.CompactProtocol), &w.meta)
	if err != nil {
		return fileInfo{}, fmt.Errorf("encode metadata of %s: %w", filepath.Base(w.path), err)
	}
	info := fileInfo{Name: filepath.Base(w.path), Footer: crc32.Checksum(footer, castagnoli)}
	footer = binary.LittleEndian.AppendUint32(footer, uint32(len(footer)))
	if err := w.write(append(footer, parquetMagic...)); err != nil {
		return fileInfo{}, err
	}
	info.Size, info.Sum = w.size, w.sum
	if err := w.f.Sync(); err != nil {
		return fileInfo{}, fmt.Errorf("sync %s: %w", info.Name, err)
	}
	if err := w.f.Close(); err != nil {
		return fileInfo{}, fmt.Errorf("close %s: %w", info.Name, err)
	}
	if err := w.fs.Rename(w.path+tempSuffix, w.path); err != nil {
		return fileInfo{}, fmt.Errorf("name %s: %w", info.Name, err)
	}
	return info, nil
}

// abandon removes what was written. It must not follow finish.
func (w *fileWriter) abandon() {
	w.f.Close()
	w.fs.Remove(w.path + tempSuffix) // if this fails, the next start removes it
}

func physicalType(c column) format.Type {
	switch {
	case c.typ == text, c.typ == plain:
		return format.ByteArray
	case c.typ == int32s, c.name == "day", c.name == "offset":
		return format.Int32
	}
	return format.Int64
}

func schemaOf(columns []column) []format.SchemaElement {
	schema := []format.SchemaElement{{Name: "footfall", NumChildren: thrift.New(int32(len(columns)))}}
	for _, c := range columns {
		e := format.SchemaElement{
			Name: c.name, Type: thrift.New(physicalType(c)), RepetitionType: thrift.New(format.Required),
		}
		switch {
		case c.typ == text, c.typ == plain:
			e.LogicalType.Value = new(format.StringType)
			e.ConvertedType = thrift.New(deprecated.UTF8)
		case c.name == "day":
			e.LogicalType.Value = new(format.DateType)
			e.ConvertedType = thrift.New(deprecated.Date)
		case c.name == "time":
			e.LogicalType.Value = &format.TimestampType{
				IsAdjustedToUTC: true, Unit: format.TimeUnit{Value: new(format.MilliSeconds)},
			}
			e.ConvertedType = thrift.New(deprecated.TimestampMillis)
		}
		schema = append(schema, e)
	}
	return schema
}

// bounds lets other readers skip row groups of other websites and days.
func bounds(values []int64, t format.Type) format.Statistics {
	low, high := values[0], values[0]
	for _, v := range values {
		low, high = min(low, v), max(high, v)
	}
	if t == format.Int32 {
		return format.Statistics{
			MinValue: binary.LittleEndian.AppendUint32(nil, uint32(low)),
			MaxValue: binary.LittleEndian.AppendUint32(nil, uint32(high)),
		}
	}
	return format.Statistics{
		MinValue: binary.LittleEndian.AppendUint64(nil, uint64(low)),
		MaxValue: binary.LittleEndian.AppendUint64(nil, uint64(high)),
	}
}
