package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// collectSettings are the flags of the benchmark of collection.
type collectSettings struct {
	dir     string
	results string
	binary  string
	rounds  int
	seconds int
	minutes int // of half the rate; 0 measures the whole one instead

	minuteSeconds int // shorter in tests
}

// Goals of collection.
const (
	wideRatio, wideConnections     = 0.5, 256
	narrowRatio, narrowConnections = 0.3, 64
	hitP99Goal                     = 60 * time.Millisecond
	arrayOf                        = 50
	arrayGoal                      = 100_000 // events a second
	cpuGoal                        = 50      // microseconds for a hit
	queryableGoal                  = 2       // seconds
	collectMemoryGoal              = 300     // MB
)

// runCollect measures how the real binary takes hits, beside a bare handler that reads them and answers.
func runCollect(ctx context.Context, args []string) error {
	s, err := parseCollect(args)
	if err != nil {
		return err
	}
	if err := needWrk(); err != nil {
		return err
	}
	done, err := workIn(&s.dir)
	if err != nil {
		return err
	}
	defer done()
	r := &collectReport{settings: s}
	r.http = httpReport{settings: httpSettings{dir: s.dir, binary: s.binary}}
	if err := r.run(ctx); err != nil {
		return err
	}
	fmt.Print(r.String())
	if s.results != "" {
		err = r.write()
	}
	if s.minutes > 0 {
		err = errors.Join(err, r.missed())
	}
	return err
}

func parseCollect(args []string) (collectSettings, error) {
	var s collectSettings
	f := flag.NewFlagSet("bench collect", flag.ExitOnError)
	f.StringVar(&s.dir, "dir", "", "directory for the data, which stays; default is a temporary one")
	f.StringVar(&s.results, "results", "", "directory to write the result to, as Markdown; default is not to")
	f.StringVar(&s.binary, "binary", "", "the program; default is to build it")
	f.IntVar(&s.rounds, "rounds", 3, "times that each load is measured, in turn with the bare handler")
	f.IntVar(&s.seconds, "seconds", 10, "length of a measurement")
	f.IntVar(&s.minutes, "minutes", 0, "send half of what it takes for so long, and look at its memory; default is to measure how much it takes")
	f.IntVar(&s.minuteSeconds, "minute-seconds", 60, "length of such a minute")
	if err := f.Parse(args); err != nil {
		return s, err
	}
	if f.NArg() > 0 || s.rounds < 1 || s.seconds < 1 || s.minutes < 0 || s.minuteSeconds < 1 {
		return s, errors.New("-rounds and -seconds must be positive, and there are no arguments")
	}
	return s, nil
}

// run starts the service and sends it hits, one load after the other.
func (r *collectReport) run(ctx context.Context) error {
	if err := buildBinary(ctx, &r.http); err != nil {
		return err
	}
	data := filepath.Join(r.settings.dir, "data")
	s, err := r.http.serve(ctx, data)
	if err != nil {
		return err
	}
	defer s.stop()
	if err := s.prepare(ctx, r.http.settings.binary, data); err != nil {
		return err
	}
	time.Sleep(time.Second) // until all websites are known
	bare, err := startBareCollect(ctx)
	if err != nil {
		return err
	}
	defer bare.stop()
	script := filepath.Join(r.settings.dir, "hits.lua")
	if err := os.WriteFile(script, []byte(hitScript), 0o644); err != nil {
		return err
	}
	before := s.usage()
	if r.settings.minutes > 0 {
		if err := r.steady(ctx, s, script); err != nil {
			return err
		}
		r.add(figure{Name: "others on the machine meanwhile", Value: s.usage().others(before), Unit: "%"})
		return s.stop()
	}
	for _, connections := range []int{narrowConnections, wideConnections} {
		if err := r.singles(ctx, s, bare, script, connections); err != nil {
			return err
		}
	}
	if err := r.arrays(ctx, s); err != nil {
		return err
	}
	r.add(figure{Name: "others on the machine meanwhile", Value: s.usage().others(before), Unit: "%"})
	r.add(figure{Name: "memory after all of it", Value: s.resident(), Unit: "MB", Goal: collectMemoryGoal, Most: true})
	return s.stop()
}

// singles sends one hit in each request, to the service and to the bare handler in turn.
func (r *collectReport) singles(ctx context.Context, s, bare *service, script string, connections int) error {
	l := hitLoad{connections: connections}
	for range r.settings.rounds {
		counted, err := s.counted(ctx)
		if err != nil {
			return err
		}
		cpu := s.cpu()
		fmt.Fprintf(os.Stderr, "%d connections: service\n", connections)
		one, requests, err := wrkHits(ctx, s.url+"/api/event", script, r.settings.seconds, connections)
		if err != nil {
			return err
		}
		l.cpu = append(l.cpu, (s.cpu()-cpu)/time.Duration(requests))
		took, now, err := s.countedWithin(ctx, counted+requests)
		if err != nil {
			return err
		}
		l.queryable = max(l.queryable, took)
		// A request that was under way when wrk ended was answered to nobody.
		if extra := now - counted - requests; extra < 0 || extra > connections {
			return fmt.Errorf("%d hits were acknowledged and %d are counted", requests, now-counted)
		}
		l.hits += requests
		l.counted += now - counted
		l.service = append(l.service, one)
		fmt.Fprintf(os.Stderr, "%d connections: bare handler\n", connections)
		cpu = bare.cpu()
		if one, requests, err = wrkHits(ctx, bare.url, script, r.settings.seconds, connections); err != nil {
			return err
		}
		l.bare = append(l.bare, one)
		l.bareCPU = append(l.bareCPU, (bare.cpu()-cpu)/time.Duration(requests))
	}
	r.loads = append(r.loads, l)
	return nil
}

// arrays sends fifty hits in each request, and knows how many to the last one.
func (r *collectReport) arrays(ctx context.Context, s *service) error {
	body := []byte("[")
	for i := range arrayOf {
		body = append(body, fmt.Sprintf(`{"n":"pageview","u":"https://site1.example/page/%d?ref=x","r":"https://www.google.com/","s":"1920x1080","l":"de"},`, i)...)
	}
	body[len(body)-1] = ']'
	counted, err := s.counted(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, "arrays")
	var mu sync.Mutex
	var acked int
	var failed error
	cpu, began := s.cpu(), time.Now()
	end := began.Add(time.Duration(r.settings.seconds) * time.Second)
	var senders sync.WaitGroup
	for i := range 16 {
		senders.Go(func() {
			for n := i; time.Now().Before(end); n += 16 {
				err := postArray(ctx, s.url, body, n)
				mu.Lock()
				if err != nil {
					failed = err
				} else {
					acked += arrayOf
				}
				mu.Unlock()
				if err != nil {
					return
				}
			}
		})
	}
	senders.Wait()
	took := time.Since(began)
	if failed != nil {
		return failed
	}
	perHit := (s.cpu() - cpu) / time.Duration(acked)
	late, now, err := s.countedWithin(ctx, counted+acked)
	if err != nil {
		return err
	}
	if now-counted != acked {
		return fmt.Errorf("arrays: %d hits were acknowledged and %d are counted", acked, now-counted)
	}
	r.add(figure{Name: fmt.Sprintf("hits in arrays of %d, 16 connections", arrayOf), Value: float64(acked) / took.Seconds(), Unit: "events/s", Goal: arrayGoal})
	r.add(figure{Name: "CPU of a hit in an array", Value: float64(perHit) / 1000, Unit: "µs"})
	r.add(figure{Name: "hits in arrays: acknowledged", Value: float64(acked), Unit: "events"})
	r.add(figure{Name: "hits in arrays: counted", Value: float64(now - counted), Unit: "events"})
	r.add(figure{Name: "after the last array all are counted within", Value: late.Seconds(), Unit: "s", Goal: queryableGoal, Most: true})
	return nil
}

func postArray(ctx context.Context, url string, body []byte, n int) error {
	req, err := http.NewRequestWithContext(ctx, "POST", url+"/api/event", strings.NewReader(string(body)))
	if err != nil {
		return err
	}
	req.Header.Set("User-Agent", benchAgent)
	req.Header.Set("Accept-Language", "de")
	req.Header.Set("X-Forwarded-For", fmt.Sprintf("81.%d.%d.7", n>>8&255, n&255))
	answer, err := arrayClient.Do(req)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	said, err := io.ReadAll(answer.Body)
	if err == nil && (answer.StatusCode != http.StatusAccepted || answer.Header.Get("X-Dropped") != "") {
		err = fmt.Errorf("%s %s, dropped %q", answer.Status, said, answer.Header.Get("X-Dropped"))
	}
	return err
}

var arrayClient = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}

// counted is how many hits are counted, on all websites that the load goes to.
func (s *service) counted(ctx context.Context) (n int, err error) {
	for id := 1; id <= hitWebsites; id++ {
		body, err := s.get(ctx, fmt.Sprintf("/api/v1/websites/%d/drops", id))
		if err != nil {
			return 0, err
		}
		var answer struct {
			Data struct{ Received, Counted int }
		}
		if err := json.Unmarshal(body, &answer); err != nil {
			return 0, err
		}
		if answer.Data.Received != answer.Data.Counted {
			return 0, fmt.Errorf("hits were dropped: %s", body)
		}
		n += answer.Data.Counted
	}
	return n, nil
}

// countedWithin waits until so many are counted, and until their number stays the same.
func (s *service) countedWithin(ctx context.Context, want int) (took time.Duration, n int, err error) {
	began := time.Now()
	for {
		if n, err = s.counted(ctx); err != nil {
			return 0, n, err
		}
		if took = time.Since(began); n >= want {
			break
		}
		if took > time.Minute {
			return took, n, fmt.Errorf("%d hits were acknowledged and after a minute %d are counted", want, n)
		}
		time.Sleep(10 * time.Millisecond)
	}
	time.Sleep(500 * time.Millisecond) // what was under way arrives too
	n, err = s.counted(ctx)
	return took, n, err
}

// cpu is the time that the processors have spent on it.
func (s *service) cpu() time.Duration {
	const tick = time.Second / 100
	_, after, _ := strings.Cut(lineOf(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid), ""), ") ")
	f := strings.Fields(after)
	if len(f) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(f[11])
	system, _ := strconv.Atoi(f[12])
	return time.Duration(user+system) * tick
}

// hitWebsites is how many websites the hits of wrk go to, from the first.
const hitWebsites = 4

const benchAgent = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36"

// hitScript lets wrk send hits as browsers do: 5,000 visitors with 40 user agents, on 4 websites with 500 pages.
const hitScript = `
local requests, n = {}, 0
function init(args)
  for i = 1, 5000 do
    local chrome = 100 + i % 40
    local headers = {
      ["Content-Type"] = "text/plain;charset=UTF-8", ["Accept-Language"] = "de-AT,de;q=0.9,en;q=0.5", ["Accept"] = "*/*",
      ["Accept-Encoding"] = "gzip, deflate, br", ["Origin"] = "https://site1.example", ["Referer"] = "https://site1.example/",
      ["Sec-Ch-Ua"] = '"Chromium";v="' .. chrome .. '", "Google Chrome";v="' .. chrome .. '", "Not?A_Brand";v="8"', ["Sec-Ch-Ua-Mobile"] = "?0",
      ["User-Agent"] = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/" .. chrome .. ".0.0.0 Safari/537.36",
      ["X-Forwarded-For"] = "81." .. (i % 200) .. "." .. (i % 251) .. "." .. (i % 13),
    }
    local body = '{"u":"https://site' .. (1 + i % 4) .. '.example/blog/2026/page-' .. (i % 500) .. '?utm_source=news&page=2","n":"pageview",' ..
      '"d":"site' .. (1 + i % 4) .. '.example","r":"https://www.google.com/","s":"1920x1080","l":"de-AT","t":0,"h":false,"wd":false,"a":12,"ch":{"pv":"15.0.0","m":""}}'
    requests[i] = wrk.format("POST", nil, headers, body)
  end
end
function request()
  n = n % 5000 + 1
  return requests[n]
end
`

// wrkHits sends hits as fast as they are answered, and tells how many were.
func wrkHits(ctx context.Context, url, script string, seconds, connections int) (round, int, error) {
	out, err := exec.CommandContext(ctx, "wrk", "-t2", fmt.Sprint("-c", connections), fmt.Sprintf("-d%ds", seconds), "--latency", "-s", script, url).Output()
	if err != nil {
		return round{}, 0, fmt.Errorf("wrk: %w", err)
	}
	requests := 0
	for line := range strings.Lines(string(out)) {
		if f := strings.Fields(line); len(f) > 2 && f[1] == "requests" && f[2] == "in" {
			requests, _ = strconv.Atoi(f[0])
		}
	}
	one, err := parseWrk(string(out))
	return one, requests, err
}

// startBareCollect starts a bare handler that reads a body and answers 202, in a process of its own.
func startBareCollect(ctx context.Context) (*service, error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return start(exec.CommandContext(ctx, exe, "bare-collect"), "bare handler listens on ")
}

func runBareCollect(ctx context.Context) error {
	return serveBareCollect(ctx, func(url string) { fmt.Printf("bare handler listens on %s\n", url) })
}

// serveBareCollect says where it listens, and answers until ctx is done.
func serveBareCollect(ctx context.Context, say func(url string)) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	say("http://" + l.Addr().String())
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.WriteHeader(http.StatusAccepted)
	})}
	context.AfterFunc(ctx, func() { server.Close() })
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
