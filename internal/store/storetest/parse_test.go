package storetest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"footfall/internal/store/storetest"
)

func TestParseSaysWhereAScriptIsWrong(t *testing.T) {
	const head = "# A rule.\n"
	const at = "load\n  2026-03-01T10:00:00Z "
	cases := map[string]struct{ text, want string }{
		"no rule":                       {"load\n", `f.txt:1: a case begins with a line like: # The rule that it shows.`},
		"no statement":                  {head, `f.txt:1: the case has no statement`},
		"unknown statement":             {head + "lod\n", `f.txt:2: "lod" is not a statement`},
		"indented statement":            {head + "  load\n", `f.txt:2: an indented line belongs to no statement`},
		"empty load":                    {head + "load\nflush\n", `f.txt:2: load is followed by indented lines, one for each event`},
		"short event":                   {head + "load\n  2026-03-01T10:00:00Z v1\n", `f.txt:3: an event is a time, a visitor, a kind and a page or name, and then key=value`},
		"bad time":                      {head + "load\n  10:00 v1 pageview /\n", `f.txt:3: "10:00" is not a time of the form 2006-01-02T15:04:05.000Z`},
		"microseconds":                  {head + "load\n  2026-03-01T10:00:00.000001Z v1 pageview /\n", `f.txt:3: "2026-03-01T10:00:00.000001Z" is not a time of the form 2006-01-02T15:04:05.000Z`},
		"bad kind":                      {head + at + "v1 view /\n", `f.txt:3: "view" is not one of pageview, custom, engagement`},
		"bad hash":                      {head + at + "0xg pageview /\n", `f.txt:3: "0xg" is not a hash of 64 bits`},
		"bad key":                       {head + at + "v1 pageview / colour=red\n", `f.txt:3: an event has no "colour"`},
		"key without value":             {head + at + "v1 pageview / country\n", `f.txt:3: "country" is not key=value`},
		"value of a pageview":           {head + at + "v1 pageview / value=3\n", `f.txt:3: only a custom event has a value`},
		"property of a pageview":        {head + at + "v1 pageview / prop:a=b\n", `f.txt:3: only a custom event has properties`},
		"scroll of a custom event":      {head + at + "v1 custom A scroll=3\n", `f.txt:3: only an engagement has scroll`},
		"scroll beyond the page":        {head + at + "v1 engagement / scroll=101\n", `f.txt:3: scroll "101" is not a number from 0 to 100`},
		"engaged for days":              {head + at + "v1 engagement / engaged=25h\n", `f.txt:3: engaged "25h" is not a duration of up to a day`},
		"too many digits":               {head + at + "v1 custom A value=1.2345678\n", `f.txt:3: "1.2345678" is not a number with up to six digits after the point`},
		"open quotes":                   {head + at + "v1 pageview \"/\n", `f.txt:3: quotes do not close: "/`},
		"long text":                     {head + at + `v1 pageview "x"{4097}` + "\n", `f.txt:3: {4097} repeats beyond the longest text, or is not a number`},
		"bad zone":                      {head + "zone Mars/Olympus\n", `f.txt:2: "Mars/Olympus" is not a zone`},
		"bad website":                   {head + "website 0\n", `f.txt:2: "0" is not the number of a website`},
		"unknown metric":                {head + "query visitor from 2026-03-01 to 2026-03-02\n", `f.txt:2: "visitor" is not a metric`},
		"unknown dimension":             {head + "query visitors by land from 2026-03-01 to 2026-03-02\n", `f.txt:2: "land" is not a dimension`},
		"no period":                     {head + "query visitors by page\n", `f.txt:2: the line ends where "from" should stand`},
		"bad day":                       {head + "query visitors from March to May\n", `f.txt:2: "March" is not a date of the form 2006-01-02`},
		"no rows":                       {head + "query visitors from 2026-03-01 to 2026-03-02\n", `f.txt:2: a question is followed by indented lines: its rows, or (no rows)`},
		"left over":                     {head + "query visitors from 2026-03-01 to 2026-03-02 limit 1 where page is /\n  1\n", `f.txt:2: "where" is left over`},
		"too few numbers":               {head + "query visitors,visits from 2026-03-01 to 2026-03-02\n  1\n", `f.txt:3: the row has no visits`},
		"too many numbers":              {head + "query visitors from 2026-03-01 to 2026-03-02\n  1 2\n", `f.txt:3: "2" is left over`},
		"bad number":                    {head + "query visitors from 2026-03-01 to 2026-03-02\n  one\n", `f.txt:3: "one" is not a number`},
		"bad revenue":                   {head + "query revenue from 2026-03-01 to 2026-03-02\n  12\n", `f.txt:3: "12" is not like EUR=12.50,USD=3`},
		"units not in order":            {head + "query revenue from 2026-03-01 to 2026-03-02\n  USD=1,EUR=2\n", `f.txt:3: the units of "USD=1,EUR=2" are not in order`},
		"order by what is not asked":    {head + "query visitors by page from 2026-03-01 to 2026-03-02 order by visits\n  / 1\n", `f.txt:2: "visits" is not a metric of the question`},
		"filter without operation":      {head + "query visitors from 2026-03-01 to 2026-03-02 where page /\n  1\n", `f.txt:2: "/" is not one of is, is not, contains, not contains, matches`},
		"filter without value":          {head + "query visitors from 2026-03-01 to 2026-03-02 where page is\n  1\n", `f.txt:2: the line ends too early`},
		"open parenthesis":              {head + "query visitors from 2026-03-01 to 2026-03-02 where (page is /\n  1\n", `f.txt:2: the line ends where ")" should stand`},
		"ask without a question":        {head + "ask from 2026-03-01 to 2026-03-02\n", `f.txt:2: query without a question`},
		"question without rows":         {head + "ask from 2026-03-01 to 2026-03-02\n  visitors\n  visits\n    1\n", `f.txt:3: a question is followed by indented lines: its rows, or (no rows)`},
		"realtime without visitors":     {head + "realtime 5m at 2026-03-01T10:00:00Z\n  / 1\n", `f.txt:3: "/ 1" is not like: visitors 2`},
		"error in a second case":        {head + "flush\n\n# Another.\nflsh\n", `f.txt:5: "flsh" is not a statement`},
		"notes are not counted as code": {head + "flush\n  # note\n\nflsh\n", `f.txt:5: "flsh" is not a statement`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := storetest.Reprint("f.txt", c.text)
			if err == nil || err.Error() != c.want {
				t.Errorf("error is\n  %v\nwant\n  %s", err, c.want)
			}
		})
	}
}

func TestScriptsReadAsTheyPrint(t *testing.T) {
	files, err := filepath.Glob("testdata/scripts/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no scripts", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		checkReprint(t, string(text))
	}
}

func TestTheExampleOfTheReadmeIsAScript(t *testing.T) {
	readme, err := os.ReadFile("testdata/README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, example, _ := strings.Cut(string(readme), "\n    # ")
	example, _, _ = strings.Cut("# "+example, "\n\n")
	checkReprint(t, strings.ReplaceAll(example, "\n    ", "\n"))
}

// checkReprint tells whether a printed script, read again, prints the same.
func checkReprint(t *testing.T, text string) {
	t.Helper()
	first, err := storetest.Reprint("first", text)
	if err != nil {
		t.Fatal(err)
	}
	second, err := storetest.Reprint("second", strings.Join(first, "\n"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(first, second); diff != "" {
		t.Errorf("a script reads differently after printing (-first +second):\n%s", diff)
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"# Rule.\nwebsite 2\nzone Asia/Kolkata\nload\n  2026-03-01T10:00:00.5Z v1 pageview / id=7 country=\"United States\"\nagain\n",
		"# Rule.\nload\n  2026-03-01T10:00:00Z 0xff custom Buy value=-1.5 unit=EUR prop:a=b website=3\nflush\nreplay\nreopen\n",
		"# Rule.\nload\n  2026-03-01T10:00:00+01:00 v engagement \"x\"{3} engaged=12s scroll=80\nclock 2026-05-01T00:00:00Z\n",
		"# Rule.\nquery visitors,revenue by page from 2026-03-01 to 2026-03-02 where page is a|b search x order by revenue asc limit 3 offset 1\n  / 1 EUR=3,USD=-1.5\n  total 3\n",
		"# Rule.\nask from 2026-03-01 to 2026-03-02 where (page is not a or prop:x matches *) and everything or nothing\n  visits\n    1/3\n  visits by day order by value desc\n    (no rows)\n",
		"# Rule.\nrealtime 5m at 2026-03-01T10:00:00Z\n  visitors 2\n  /a 1\n  in \"Côte d'Ivoire\" 1\ndelete\nsettle\nrecount from 2026-03-01 to 2026-03-02\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := storetest.Reprint("f.txt", text); err == nil {
			checkReprint(t, text)
		}
	})
}
