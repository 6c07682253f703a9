package archive_test

import (
	"testing"
	"time"

	"github.com/callwright/callwright/internal/archive"
	"github.com/callwright/callwright/internal/archive/archivetest"
)

func TestMemoryAnswers(t *testing.T) {
	archivetest.Answers(t, func(_ *testing.T, now func() time.Time, l archive.Limits) archive.Answers {
		return archive.NewMemoryAnswers(now, l)
	})
}

func TestMemoryReports(t *testing.T) {
	archivetest.Reports(t, func(_ *testing.T, now func() time.Time, l archive.Limits) archive.Reports {
		return archive.NewMemoryReports(now, l)
	})
}
