package httpapi_test

import (
	"crypto/rand"
	"database/sql"
	"net/url"
	"os"
	"strings"
	"testing"

	"footfall/internal/httpapi"
)

// A starter starts a service; change may be nil.
type starter func(t *testing.T, change func(*httpapi.Options)) *service

// onEachDatabase runs a test on SQLite, and on PostgreSQL where FOOTFALL_TEST_POSTGRES is the URL of a server.
func onEachDatabase(t *testing.T, test func(t *testing.T, newService starter)) {
	t.Run("sqlite", func(t *testing.T) { test(t, newService) })
	t.Run("postgres", func(t *testing.T) {
		if os.Getenv("FOOTFALL_TEST_POSTGRES") == "" {
			if os.Getenv("CI") == "true" {
				t.Fatal("FOOTFALL_TEST_POSTGRES is not set, and CI tests every database")
			}
			t.Skip("FOOTFALL_TEST_POSTGRES is not set")
		}
		test(t, func(t *testing.T, change func(*httpapi.Options)) *service {
			t.Helper()
			return newServiceOn(t, postgresSchema(t), change)
		})
	})
}

// postgresSchema makes a schema for one service and returns the URL that leads into it.
func postgresSchema(t *testing.T) string {
	t.Helper()
	server := os.Getenv("FOOTFALL_TEST_POSTGRES")
	admin, err := sql.Open("pgx", server)
	if err != nil {
		t.Fatal(err)
	}
	schema := "test_" + strings.ToLower(rand.Text())
	if _, err := admin.Exec(`CREATE SCHEMA ` + schema); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := admin.Exec(`DROP SCHEMA ` + schema + ` CASCADE`); err != nil {
			t.Error(err)
		}
		admin.Close()
	})
	u, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	q.Set("search_path", schema)
	u.RawQuery = q.Encode()
	return u.String()
}
