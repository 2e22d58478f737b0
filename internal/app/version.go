package app

import (
	"context"
	"fmt"
	"runtime/debug"
)

// version is set by the build, as in -ldflags "-X footfall/internal/app.version=1.0.0".
var version = "dev"

func printVersion(_ context.Context, _ *config, t *terminal) error {
	_, err := fmt.Fprintln(t.out, versionLine())
	return err
}

func versionLine() string {
	line := "footfall " + version
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return line
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			line += " " + s.Value[:min(12, len(s.Value))]
		}
	}
	return line + " " + info.GoVersion
}
