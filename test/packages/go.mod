module github.com/callwright/callwright/test/packages

go 1.26.0

require github.com/callwright/callwright v0.0.0

replace github.com/callwright/callwright => ../..
