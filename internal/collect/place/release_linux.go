package place

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"syscall"
	"unsafe"
)

// release takes the pages of a text that is part of the binary out of our memory. They are read-only and of a file, so
// nothing is lost: whoever reads them next gets them from the file again. If the system refuses they stay, which costs
// memory and nothing else.
func release(text string) {
	page := uintptr(os.Getpagesize())
	from := uintptr(unsafe.Pointer(unsafe.StringData(text)))
	skip := (page - from%page) % page
	if uintptr(len(text)) < skip+page {
		return
	}
	whole := bytesOf(text)[skip:]
	whole = whole[:uintptr(len(whole))/page*page]
	if ofFile(from+skip, uintptr(len(whole))) {
		_ = syscall.Madvise(whole, syscall.MADV_DONTNEED)
	}
}

// ofFile tells that memory is a read-only part of a file. A binary that unpacks itself at the start (UPX) is not: what is
// taken out of such memory is gone.
func ofFile(from, size uintptr) bool {
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		return false
	}
	for lines := bufio.NewScanner(bytes.NewReader(maps)); lines.Scan(); {
		var low, high uintptr
		var rights, offset, device string
		var inode uint64
		_, err := fmt.Sscanf(lines.Text(), "%x-%x %s %s %s %d", &low, &high, &rights, &offset, &device, &inode)
		if err == nil && low <= from && from+size <= high {
			return inode != 0 && rights[1] == '-'
		}
	}
	return false
}
