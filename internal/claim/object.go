package claim

import "strings"

// outsides are nouns for things other than the answer itself.
var outsides = setOf(`file files folder folders directory directories repository repo branch commit database databases record records row rows
	calendar event events meeting meetings appointment appointments reminder reminders alarm timer email emails e-mail mail message messages ticket tickets
	issue pull account accounts reservation reservations booking bookings order orders flight flights hotel room rooms subscription profile address password
	settings setting thermostat light lights door doors temperature heating playlist note notes server service container package packages dependency
	dependencies contact contacts customer customers invoice payment refund cart newsletter coupon backup index job workflow website page pages channel
	test tests suite build command script program query tool function api endpoint documentation docs web internet weather inventory codebase project
	inbox mailbox notification notifications invitation shift module deployment cluster pod volume key keys user users employee employees lock taxi ticket dishwasher
	music speaker camera vacuum tv device devices policy document documents spreadsheet sheet log logs data configuration config`)

// deliverables are nouns for the content of an answer, which needs no tool.
var deliverables = setOf(`answer response reply explanation example examples summary plan outline draft poem story essay text sentence paragraph
	version code snippet suggestion suggestions recommendation recommendations question questions analysis comparison list table haiku joke template
	description instructions steps solution formula prompt sample piece conversation itinerary recipe information details`)

// isFile reports whether a word is a file name with a known extension.
func isFile(s string) bool {
	if strings.HasPrefix(s, "http") || strings.ContainsRune(s, '@') {
		return false
	}
	at := strings.LastIndexByte(s, '.')
	ext := len(s) - at - 1
	if at > 0 && ext > 0 && ext <= 5 && s[at+1] > '9' {
		var room [maxWord]byte
		return extensions.has(string(lower(s[at+1:], &room)))
	}
	return false
}

var extensions = setOf(`go py js ts jsx tsx mjs rs c h cc cpp hpp cs java kt rb php swift scala sh bash zsh ps1 sql html htm css scss md txt json yaml yml
	toml ini cfg conf xml csv tsv log env lock proto tf lua r jl ex exs erl hs ml vue svelte pdf png jpg svg zip tar gz doc docx xls xlsx db mod sum`)
