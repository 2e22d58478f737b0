package link

import (
	"unicode"
	"unicode/utf8"
)

// A class says what a byte of an address is.
type class uint8

const (
	unreserved class = 1 << iota // means the same escaped or not
	plainPath                    // stands unescaped in a path
	plainQuery                   // stands unescaped in a query or a fragment
)

var classes = func() (of [256]class) {
	mark := func(bytes string, c class) {
		for _, b := range []byte(bytes) {
			of[b] |= c
		}
	}
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	mark(letters+"-._~", unreserved|plainPath|plainQuery)
	mark("!$&'()*+,;=:@[]", plainPath|plainQuery)
	mark("/?#", plainQuery)
	return of
}()

// appendNormal appends a part of an address in its one normal form. What means the same escaped or not is unescaped, and so
// is what people can read: the page is "/über-uns", not "/%C3%BCber-uns". Whatever else is escaped stays so, in upper case;
// spaces, control characters, invisible ones and invalid UTF-8 become so.
func appendNormal(dst []byte, s string, plain class) []byte {
	for i := 0; i < len(s); {
		b, size := byteAt(s, i)
		switch escaped := size == 3; {
		case b >= utf8.RuneSelf:
			var n int
			dst, n = appendRune(dst, s, i)
			i += n
			continue
		case classes[b]&unreserved != 0, !escaped && classes[b]&plain != 0:
			dst = append(dst, b)
		default:
			dst = appendEscaped(dst, b)
		}
		i += size
	}
	return dst
}

// byteAt is the byte at a place, which is escaped if its size is 3.
func byteAt(s string, i int) (b byte, size int) {
	if s[i] == '%' && i+2 < len(s) {
		high, low := unhex[s[i+1]], unhex[s[i+2]]
		if high < 16 && low < 16 {
			return high<<4 | low, 3
		}
	}
	return s[i], 1
}

// appendRune appends the character that begins at a place, whose bytes may be escaped, and tells how much of the text it
// took.
func appendRune(dst []byte, s string, i int) ([]byte, int) {
	var char [utf8.UTFMax]byte
	var ends [utf8.UTFMax]int
	n := 0
	for at := i; n < len(char) && at < len(s); n++ {
		b, size := byteAt(s, at)
		if b < utf8.RuneSelf {
			break
		}
		at += size
		char[n], ends[n] = b, at-i
	}
	r, width := utf8.DecodeRune(char[:n])
	if unicode.IsPrint(r) && (r != utf8.RuneError || width > 1) {
		return append(dst, char[:width]...), ends[width-1]
	}
	for _, b := range char[:width] {
		dst = appendEscaped(dst, b)
	}
	return dst, ends[width-1]
}

func appendEscaped(dst []byte, b byte) []byte {
	const digits = "0123456789ABCDEF"
	return append(dst, '%', digits[b>>4], digits[b&15])
}

// unhex is the value of a hexadecimal digit; 16 and above is none.
var unhex = func() (value [256]byte) {
	for i := range value {
		value[i] = 16
	}
	for i := range byte(10) {
		value['0'+i] = i
	}
	for i := range byte(6) {
		value['a'+i], value['A'+i] = 10+i, 10+i
	}
	return value
}()

// cut is a normal text of at most so many bytes, which ends neither within a character nor within an escape.
func cut(text []byte, most int) []byte {
	if len(text) <= most {
		return text
	}
	n := most
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	for back := 1; back <= 2 && n >= back; back++ {
		if text[n-back] == '%' {
			return text[:n-back]
		}
	}
	return text[:n]
}
