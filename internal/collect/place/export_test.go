package place

import (
	"net/netip"

	"github.com/oschwald/maxminddb-golang/v2"
)

// For tests: the names, packed databases that are not in the binary, and MMDB files that are bytes.
var (
	CityName   = cityName
	RegionName = regionName
	ErrDamaged = errDamaged
)

// EmbeddedText is the packed database in the binary.
func EmbeddedText() string { return embedded{}.text() }

// Release is what gives memory back.
func Release(text string) { release(text) }

const BlockRanges = blockRanges

func OpenPacked(file string) (*Atlas, error) {
	db, err := openPacked(file)
	if err != nil {
		return nil, err
	}
	return &Atlas{db}, nil
}

// FindIn looks an address up in a file that is given by its bytes.
func FindIn(file []byte, addr netip.Addr) (Place, error) {
	reader, err := maxminddb.OpenBytes(file)
	if err != nil {
		return Place{}, err
	}
	db, err := newMMDB(reader)
	if err != nil {
		return Place{}, err
	}
	return db.find(addr), nil
}
