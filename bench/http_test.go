package main

import (
	"testing"
	"time"
)

func TestWrkIsUnderstood(t *testing.T) {
	const good = `Running 4s test @ http://127.0.0.1:1/
  Latency Distribution
     50%  341.00us
     99%   18.86ms
  101205 requests in 3.00s, 25.39MB read
Requests/sec:  33734.88
`
	r, err := parseWrk(good)
	if want := (round{33734.88, 341 * time.Microsecond, 18860 * time.Microsecond}); r != want || err != nil {
		t.Errorf("%+v, %v", r, err)
	}
	for name, out := range map[string]string{
		"refused": good + "  Non-2xx or 3xx responses: 17\n", "cut": good + "  Socket errors: connect 0, read 1, write 0, timeout 0\n", "nothing": "hello\n",
	} {
		if _, err := parseWrk(out); err == nil {
			t.Errorf("%s is no error", name)
		}
	}
}
