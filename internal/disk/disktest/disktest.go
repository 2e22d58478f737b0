// Package disktest stands between the code under test and the disk. Only tests import it.
//
// A Recorder is a file system in memory that remembers every operation. CrashImage makes of it what a disk could hold
// if the power had gone after any of them: what was synced is there; what was not is there, missing, cut short or torn,
// as a seeded random source decides. A Faulty is any file system on which chosen operations fail.
//
// The rules of the crash are those that POSIX leaves open and real file systems use: data of a file is safe after Sync of
// the file, its name after SyncDir of the directory; before that both may reach the disk or not, each by itself. A rename
// is never half done. SyncDir of a directory also makes the directory itself permanent.
package disktest

import "fmt"

// An Op is a kind of operation.
type Op uint8

// The operations of disk.FS and disk.File. Closing a file and asking for its size never fail.
const (
	Open Op = iota
	Create
	Append
	Rename
	Remove
	ReadDir
	MkdirAll
	SyncDir
	Read
	Write
	Sync
	Truncate

	numOps = int(Truncate) + 1
)

var opNames = [numOps]string{
	"open", "create", "append", "rename", "remove", "readdir", "mkdir", "syncdir", "read", "write", "sync", "truncate",
}

func (o Op) String() string {
	if int(o) >= numOps {
		return fmt.Sprintf("op %d", uint8(o))
	}
	return opNames[o]
}
