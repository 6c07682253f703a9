module github.com/callwright/callwright/test/peers

go 1.26.0
