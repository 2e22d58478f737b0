// Command footfall is website analytics that you run yourself: it collects visits, keeps them safe, and answers questions
// about them.
package main

import (
	"os"

	"footfall/internal/app"
)

func main() { os.Exit(app.Main(os.Args[1:], os.Environ(), os.Stdin, os.Stdout, os.Stderr)) }
