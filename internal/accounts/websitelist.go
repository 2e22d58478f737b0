package accounts

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"footfall/internal/fault"
)

// ListParams are the parameters of a list of websites, as they were sent; "" is not sent.
type ListParams struct {
	Search   string // in the domain, without regard to case
	SearchBy string // domain
	SortBy   string // id or domain; default id
	Sort     string // asc or desc; default desc
	PerPage  string // 10, 25, 50 or 100; default 10
	Page     string // from 1; default 1
}

// A WebsiteList is a page of a list. A page after the last is empty.
type WebsiteList struct {
	Websites []Website
	Total    int // on all pages
	Page     int
	PerPage  int
}

const maxPage = 1_000_000_000

// listColumns are the columns that a list can be sorted by, by the value of sort_by.
var listColumns = map[string]string{"id": "w.id", "domain": "w.domain"}

// listDirections are the directions, by the value of sort.
var listDirections = map[string]string{"asc": " ASC", "desc": " DESC"}

// listed are the websites that the account $1 owns or is shared, with its access, if their domain is like $2. As two
// questions, each is answered by an index; as one with OR it would look at the websites of all accounts.
const listed = ` FROM (SELECT id, 'owner' AS access FROM websites WHERE account_id = $1
		UNION ALL SELECT website_id, access FROM shares WHERE account_id = $1) m
	JOIN websites w ON w.id = m.id WHERE (w.domain LIKE $2 ESCAPE '\' OR w.unicode_domain LIKE $2 ESCAPE '\')`

// Websites lists the websites that the caller owns or is shared.
func (db *DB) Websites(ctx context.Context, c Caller, p ListParams) (WebsiteList, error) {
	list, order, err := p.check()
	if err != nil {
		return WebsiteList{}, err
	}
	m, err := db.moment(ctx)
	if err != nil {
		return WebsiteList{}, err
	}
	key := listKey{c.account, p}
	if list, ok := db.caches.lists.find(m.websites, key); ok {
		list.Websites = slices.Clone(list.Websites)
		return list, nil
	}
	pattern := "%" + likeEscape.Replace(strings.ToLower(strings.TrimSpace(p.Search))) + "%"
	if err := db.read.QueryRowContext(ctx, `SELECT COUNT(*)`+listed, c.account, pattern).Scan(&list.Total); err != nil {
		return WebsiteList{}, db.trouble("count websites", err)
	}
	if skip := (list.Page - 1) * list.PerPage; skip < list.Total {
		list.Websites, err = all(ctx, db.read, scanWebsite, `SELECT `+websiteColumns+`, m.access`+listed+
			` ORDER BY `+order+` LIMIT $3 OFFSET $4`, c.account, pattern, list.PerPage, skip)
		if err != nil {
			return WebsiteList{}, db.trouble("list websites", err)
		}
	}
	db.caches.keepList(m.websites, key, list)
	return list, nil
}

var likeEscape = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// check reads the parameters: the page that is asked for and the order of the list, in SQL.
func (p ListParams) check() (list WebsiteList, order string, err error) {
	var f fault.Fields
	line(&f, "search", p.Search)
	choice(&f, "search_by", orDefault(p.SearchBy, "domain"), "domain")
	column := listColumns[choice(&f, "sort_by", orDefault(p.SortBy, "id"), "id", "domain")]
	direction := listDirections[choice(&f, "sort", orDefault(p.Sort, "desc"), "desc", "asc")]
	list = WebsiteList{Page: 1}
	switch s := orDefault(p.PerPage, "10"); s {
	case "10", "25", "50", "100":
		list.PerPage, _ = strconv.Atoi(s)
	default:
		f.Add("per_page", "must be one of 10, 25, 50, 100")
	}
	if p.Page != "" {
		list.Page, err = strconv.Atoi(p.Page)
		if err != nil || list.Page < 1 || list.Page > maxPage {
			f.Add("page", "must be a whole number from 1 to %d", maxPage)
		}
	}
	return list, column + direction, f.Err()
}

func orDefault(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// AllWebsites are the websites of all accounts, in the order of their ids. With WebsitesVersion, asked for before, it
// serves a cache: as long as the version stays the same, so do they.
func (db *DB) AllWebsites(ctx context.Context) ([]Website, error) {
	list, err := all(ctx, db.read, scanWebsite, `SELECT `+websiteColumns+`, '' FROM websites w ORDER BY w.id`)
	return list, db.trouble("read all websites", err)
}

// WebsitesVersion is a number that grows with every change to a website.
func (db *DB) WebsitesVersion(ctx context.Context) (int64, error) { return db.version(ctx, ofWebsites) }

// Changes is how often this process has changed a website, or who may see one. It asks nobody.
func (db *DB) Changes() uint64 { return db.edits.Load() }
