package disktest_test

import (
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"
	"syscall"
	"testing"

	"footfall/internal/disk"
	"footfall/internal/disk/disktest"
)

// do runs one step of a scene; every step must succeed.
func do(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func create(t *testing.T, fsys disk.FS, path, text string, sync bool) {
	t.Helper()
	f, err := fsys.Create(path)
	do(t, err)
	_, err = io.WriteString(f, text)
	do(t, err)
	if sync {
		do(t, f.Sync())
	}
	do(t, f.Close())
}

// images are the different states that a crash can leave, each as "path=content path=content".
func images(rec *disktest.Recorder, ops int) map[string]int {
	seen := map[string]int{}
	for seed := range uint64(400) {
		image := rec.CrashImage(ops, rand.New(rand.NewPCG(seed, 0)))
		var files []string
		for _, path := range image.Files() {
			data, _ := image.ReadFile(path)
			files = append(files, path+"="+string(data))
		}
		seen[strings.Join(files, " ")]++
	}
	return seen
}

func TestCrashKeepsWhatWasSynced(t *testing.T) {
	rec := disktest.NewRecorder()
	do(t, rec.MkdirAll("/d"))
	create(t, rec, "/d/a", "hello", true)
	do(t, rec.SyncDir("/d"))
	for image := range images(rec, rec.Ops()) {
		if image != "d/a=hello" {
			t.Errorf("a crash left %q", image)
		}
	}
}

func TestCrashMayTakeWhatWasNotSynced(t *testing.T) {
	cases := map[string]struct {
		scene func(t *testing.T, rec *disktest.Recorder)
		want  []string // states that must be among the images
		never []string
	}{
		"a name that was not synced": {
			func(t *testing.T, rec *disktest.Recorder) { create(t, rec, "/d/a", "hello", true) },
			[]string{"", "d/a=hello"}, []string{"d/a=", "d/a=hel"},
		},
		"data that was not synced": {
			func(t *testing.T, rec *disktest.Recorder) {
				create(t, rec, "/d/a", "hello", false)
				do(t, rec.SyncDir("/d"))
			},
			[]string{"d/a=", "d/a=hello", "d/a=hel", "d/a=\x00\x00\x00\x00\x00"}, []string{""},
		},
		"a rename": {
			func(t *testing.T, rec *disktest.Recorder) {
				create(t, rec, "/d/a", "old", true)
				create(t, rec, "/d/b", "new", true)
				do(t, rec.SyncDir("/d"))
				do(t, rec.Rename("/d/b", "/d/a"))
			},
			[]string{"d/a=old d/b=new", "d/a=new"}, []string{"", "d/b=new", "d/a=old", "d/a=new d/b=new"},
		},
		"a removal": {
			func(t *testing.T, rec *disktest.Recorder) {
				create(t, rec, "/d/a", "old", true)
				do(t, rec.SyncDir("/d"))
				do(t, rec.Remove("/d/a"))
			},
			[]string{"d/a=old", ""}, nil,
		},
		"a truncation": {
			func(t *testing.T, rec *disktest.Recorder) {
				create(t, rec, "/d/a", "hello", true)
				do(t, rec.SyncDir("/d"))
				f, err := rec.Append("/d/a")
				do(t, err)
				do(t, f.Truncate(2))
			},
			[]string{"d/a=hello", "d/a=he"}, nil,
		},
		"an append": {
			func(t *testing.T, rec *disktest.Recorder) {
				create(t, rec, "/d/a", "he", true)
				do(t, rec.SyncDir("/d"))
				f, err := rec.Append("/d/a")
				do(t, err)
				_, err = io.WriteString(f, "llo")
				do(t, err)
			},
			[]string{"d/a=he", "d/a=hello", "d/a=hel"}, []string{"d/a=", "d/a=h", ""},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			rec := disktest.NewRecorder()
			do(t, rec.MkdirAll("/d"))
			do(t, rec.SyncDir("/"))
			c.scene(t, rec)
			seen := images(rec, rec.Ops())
			for _, want := range c.want {
				if seen[want] == 0 {
					t.Errorf("no image with %q among %v", want, seen)
				}
			}
			for _, never := range c.never {
				if seen[never] != 0 {
					t.Errorf("an image with %q", never)
				}
			}
		})
	}
}

func TestCrashImageIsTheSameForTheSameSeed(t *testing.T) {
	rec := disktest.NewRecorder()
	do(t, rec.MkdirAll("/d"))
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		create(t, rec, "/d/"+name, strings.Repeat(name, 2000), false)
	}
	for seed := range uint64(50) {
		one := rec.CrashImage(rec.Ops(), rand.New(rand.NewPCG(seed, 1)))
		two := rec.CrashImage(rec.Ops(), rand.New(rand.NewPCG(seed, 1)))
		if !slices.Equal(one.Files(), two.Files()) {
			t.Fatalf("seed %d made %v and %v", seed, one.Files(), two.Files())
		}
		for _, path := range one.Files() {
			a, _ := one.ReadFile(path)
			b, _ := two.ReadFile(path)
			if !slices.Equal(a, b) {
				t.Fatalf("seed %d made two different files %s", seed, path)
			}
		}
	}
}

func TestCrashOfACrashImage(t *testing.T) {
	rec := disktest.NewRecorder()
	do(t, rec.WriteFile("/d/a", []byte("hello")))
	image := rec.CrashImage(0, rand.New(rand.NewPCG(1, 1)))
	do(t, image.Remove("/d/a"))
	if seen := images(image, image.Ops()); seen["d/a=hello"] == 0 || seen[""] == 0 || len(seen) != 2 {
		t.Errorf("images after an unsynced removal: %v", seen)
	}
}

// TestRecorderBehavesLikeTheSystem does the same things to both and compares.
func TestRecorderBehavesLikeTheSystem(t *testing.T) {
	scene := func(fsys disk.FS, dir string) []string {
		var out []string
		say := func(err error) {
			for _, known := range []error{fs.ErrExist, fs.ErrNotExist, fs.ErrClosed, syscall.EBADF, syscall.EISDIR, syscall.ENOTEMPTY, io.EOF} {
				if errors.Is(err, known) {
					out = append(out, known.Error())
					return
				}
			}
			if err != nil {
				out = append(out, err.Error())
				return
			}
			out = append(out, "ok")
		}
		say(fsys.MkdirAll(dir + "/a/b"))
		_, err := fsys.Create(dir + "/none/x")
		say(err)
		f, err := fsys.Create(dir + "/a/x")
		say(err)
		_, err = fsys.Create(dir + "/a/x")
		say(err)
		_, err = io.WriteString(f, "0123456789")
		say(err)
		say(f.Truncate(4))
		_, err = io.WriteString(f, "ab")
		say(err)
		b := make([]byte, 20)
		n, err := f.ReadAt(b, 1)
		say(err)
		out = append(out, string(b[:n]))
		say(fsys.Remove(dir + "/a"))
		say(fsys.Rename(dir+"/a/x", dir+"/a/b/y"))
		_, err = fsys.Open(dir + "/a/x")
		say(err)
		g, err := fsys.Append(dir + "/a/b/y")
		say(err)
		_, err = io.WriteString(g, "end")
		say(err)
		say(g.Close())
		say(g.Sync())
		r, err := fsys.Open(dir + "/a/b/y")
		say(err)
		_, err = r.Write([]byte("x"))
		say(err)
		say(fsys.Remove(dir + "/a/b/y"))
		size, err := r.Size()
		say(err)
		out = append(out, string(rune('a'+size)))
		n, err = r.ReadAt(b[:5], 8)
		say(err)
		out = append(out, string(b[:n]))
		entries, err := fsys.ReadDir(dir + "/a")
		say(err)
		for _, e := range entries {
			out = append(out, e.Name())
		}
		_, err = fsys.ReadDir(dir + "/none")
		say(err)
		say(fsys.SyncDir(dir + "/none"))
		return out
	}
	got, want := scene(disktest.NewRecorder(), "/x"), scene(disk.OS{}, t.TempDir())
	if !slices.Equal(got, want) {
		t.Errorf("recorder\n%q\nsystem\n%q", got, want)
	}
}

func TestFaultyFailsWhatItIsTold(t *testing.T) {
	f := disktest.NewFaulty(disktest.NewRecorder())
	do(t, f.MkdirAll("/d"))
	file, err := f.Create("/d/a")
	do(t, err)
	f.Fail(disktest.Fault{Op: disktest.Write, N: 2, Err: syscall.ENOSPC, Short: 2})
	f.Fail(disktest.Fault{Op: disktest.Sync, Path: "/d/", Forever: true, Err: syscall.EIO})
	if _, err := io.WriteString(file, "one"); err != nil {
		t.Errorf("first write: %v", err)
	}
	if n, err := io.WriteString(file, "two"); n != 2 || !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("second write: %d bytes, %v", n, err)
	}
	if _, err := io.WriteString(file, "three"); err != nil {
		t.Errorf("third write: %v", err)
	}
	for range 3 {
		if err := file.Sync(); !errors.Is(err, syscall.EIO) {
			t.Errorf("sync: %v", err)
		}
	}
	f.Heal()
	if err := file.Sync(); err != nil {
		t.Errorf("sync after healing: %v", err)
	}
	if data, err := disk.ReadFile(f, "/d/a"); err != nil || string(data) != "onetwthree" {
		t.Errorf("file holds %q, %v", data, err)
	}
	if f.Hits() != 4 || f.Count(disktest.Write) != 3 {
		t.Errorf("%d hits, %d writes", f.Hits(), f.Count(disktest.Write))
	}
}
