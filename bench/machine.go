package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// peakMemory is the most memory that this process had resident since resetPeak, in bytes; 0 where the system does not
// tell. Pages of files that are mapped count.
func peakMemory() int64 {
	var kb int64
	fmt.Sscan(lineOf("/proc/self/status", "VmHWM:"), &kb)
	return kb << 10
}

// resetPeak begins a new peak. Where it cannot, peaks are those of the whole process.
func resetPeak() { _ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) }

// cpuTime is the time that this process has been given so far, on all cores.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// usage is what the machine has done since it started.
type usage struct{ busy, total, ours time.Duration }

// machineUsage is the usage so far; zero where the system does not tell.
func machineUsage() usage {
	const tick = time.Second / 100
	var u usage
	for i, text := range strings.Fields(lineOf("/proc/stat", "cpu ")) {
		var n time.Duration
		fmt.Sscan(text, &n)
		if i >= 8 { // guests are in the others already
			break
		}
		u.total += n * tick
		if i != 3 && i != 4 { // idle, waiting for a disk
			u.busy += n * tick
		}
	}
	u.ours = cpuTime()
	return u
}

// others is the share of the machine, in percent, that others had since before.
func (u usage) others(before usage) float64 {
	if u.total == before.total {
		return 0
	}
	return max(0, 100*float64((u.busy-before.busy)-(u.ours-before.ours))/float64(u.total-before.total))
}

// machine describes where this runs.
func machine() string {
	model := lineOf("/proc/cpuinfo", "model name")
	var kb int64
	fmt.Sscan(lineOf("/proc/meminfo", "MemTotal:"), &kb)
	return fmt.Sprintf("%s, %d cores, %d GB, %s/%s, %s", strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(model), ":")),
		runtime.NumCPU(), (kb+1<<19)>>20, runtime.GOOS, runtime.GOARCH, runtime.Version())
}

// commit is what this was built from, as far as git knows.
func commit() string {
	id, err := exec.Command("git", "rev-parse", "--short=12", "HEAD").Output()
	if err != nil {
		return "unknown"
	}
	text := strings.TrimSpace(string(id))
	if changes, err := exec.Command("git", "status", "--porcelain", "--", "..").Output(); err == nil && len(changes) > 0 {
		text += " with changes"
	}
	return text
}

// lineOf is what follows a prefix in the first line of a file that begins with it.
func lineOf(path, prefix string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if rest, ok := strings.CutPrefix(lines.Text(), prefix); ok {
			return rest
		}
	}
	return ""
}
