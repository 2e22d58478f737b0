package link

import "strings"

// What tests need to see of the tables.

var SpamDomains = len(spammers)

// A Row is one of a table, as docs/sources.md has it.
type Row [3]string

func ChannelRows() (rows []Row) {
	for _, r := range channels {
		rows = append(rows, Row{r.channel, r.when})
	}
	return rows
}

func ParameterRows() (rows []Row) {
	fields := [...]string{"", "campaign", "source", "medium", "term", "content"}
	for _, p := range parameters {
		rows = append(rows, Row{"`" + p.name + "`", p.help, fields[p.fills]})
	}
	return rows
}

// IsStripped tells whether the name of a parameter is in the table, whatever its value is.
func IsStripped(name string) bool {
	row := parameterNamed([]byte(name))
	return row >= 0 && !parameters[row].long
}

// UnknownClicks are the click ids of sites that no table has.
func UnknownClicks() (names []string) {
	for _, p := range parameters {
		if p.from != "" && byName[strings.ToLower(p.from)] == nil {
			names = append(names, p.name)
		}
	}
	return names
}

// Sites are all hosts and all names of the tables, with those that are listed twice, and the number of hosts by kind.
func Sites() (hosts, names []string, ofKind map[string]int) {
	kinds := [...]string{"other", "search", "social", "video", "shopping", "email", "assistant"}
	ofKind = map[string]int{}
	for _, table := range tables {
		for _, s := range table {
			own := strings.Fields(s.hosts)
			ofKind[kinds[s.kind]] += len(own)
			hosts = append(hosts, own...)
			names = append(names, strings.Fields(strings.ToLower(s.also))...)
			names = append(names, strings.ToLower(s.name))
		}
	}
	return hosts, names, ofKind
}
