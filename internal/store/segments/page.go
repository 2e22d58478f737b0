package segments

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"sync"
	"unsafe"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// This file takes pages apart: a header, which says how long the body is and what its checksum should be, and the body.

var pageHeaders = sync.Pool{New: func() any {
	r := new(thrift.CompactProtocol).NewReaderFromBytes(nil)
	return &pageHeaderDecoder{reader: r, decoder: thrift.NewDecoder(r)}
}}

type pageHeaderDecoder struct {
	reader  thrift.BytesReader
	decoder *thrift.Decoder
	header  format.PageHeader
}

// readPage finds the body of the page at the start of b, checks it and unpacks it if it is packed: a data page says so
// itself, for a dictionary the caller knows. What is unpacked lies in memory.
func readPage(b []byte, packed bool, memory *arena) ([]byte, format.PageHeader, error) {
	d := pageHeaders.Get().(*pageHeaderDecoder)
	defer pageHeaders.Put(d)
	d.header = format.PageHeader{}
	d.reader.ResetBytes(b)
	if err := d.decoder.Decode(&d.header); err != nil {
		return nil, d.header, fmt.Errorf("%w: page header: %w", errDamaged, err)
	}
	body := b[d.reader.BytesRead():]
	if n := int(d.header.CompressedPageSize); n != len(body) {
		return nil, d.header, fmt.Errorf("%w: page of %d bytes where %d are", errDamaged, n, len(body))
	}
	if crc32.ChecksumIEEE(body) != uint32(d.header.CRC) {
		return nil, d.header, fmt.Errorf("%w: page has another checksum", errDamaged)
	}
	if v2 := d.header.DataPageHeaderV2; v2.Valid {
		// The header is outside the checksum. What it says must fit the body, or codes could point nowhere.
		packed = v2.V.IsCompressed.V
		if packed == (d.header.UncompressedPageSize == d.header.CompressedPageSize) {
			return nil, d.header, fmt.Errorf("%w: page header does not fit its page", errDamaged)
		}
	}
	if packed {
		var err error
		if body, err = unpack(body, int(d.header.UncompressedPageSize), memory); err != nil {
			return nil, d.header, fmt.Errorf("%w: %w", errDamaged, err)
		}
	}
	return body, d.header, nil
}

// readTexts splits a dictionary page. The texts point into it.
func readTexts(page []byte, n int) ([]string, error) {
	if n < 0 || n > len(page)/4 {
		return nil, errPage
	}
	values := make([]string, n)
	for i := range values {
		if len(page) < 4 {
			return nil, errPage
		}
		size := int(binary.LittleEndian.Uint32(page))
		if size > len(page)-4 {
			return nil, errPage
		}
		if size > 0 {
			values[i] = unsafe.String(&page[4], size)
		}
		page = page[4+size:]
	}
	if len(page) > 0 {
		return nil, errPage
	}
	return values, nil
}

func readInts(page []byte, n int, t format.Type) ([]int64, error) {
	size := 8
	if t == format.Int32 {
		size = 4
	}
	if n != len(page)/size {
		return nil, errPage
	}
	values := make([]int64, n)
	for i := range values {
		if size == 4 {
			values[i] = int64(int32(binary.LittleEndian.Uint32(page[i*4:])))
		} else {
			values[i] = int64(binary.LittleEndian.Uint64(page[i*8:]))
		}
	}
	return values, nil
}
