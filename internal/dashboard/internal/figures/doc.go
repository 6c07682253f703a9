// Package figures makes figures of reports: how many requests there were, how they ended, how long they took, what was changed and what it cost.
package figures
