package inspect

import (
	"time"

	"github.com/harden-input/harden/jsoncheck"
	"github.com/harden-input/harden/msgpackcheck"
	"github.com/harden-input/harden/rule"
)

// A Profile is a named set of limits and severities.
type Profile struct {
	Name string
	// Doc says in one sentence whom the profile is for.
	Doc    string
	Limits Limits
	// Severities and Defaults override the severity of rules, as in Config.
	Severities, Defaults map[string]rule.Severity
}

// Severity returns what violations of r weigh under the profile. Those that
// weigh less than their rule may keep their own, see Config.Defaults.
func (p *Profile) Severity(r *rule.Rule) rule.Severity {
	if s, ok := p.Severities[r.ID]; ok {
		return s
	}
	if s, ok := p.Defaults[r.ID]; ok {
		return s
	}
	return r.Default
}

// Profiles returns all profiles, the default first.
func Profiles() []Profile {
	return []Profile{
		{Name: "default", Doc: "files and requests from strangers, on a machine that can spare 512 MiB",
			Limits: DefaultLimits()},
		gateway(),
		opa(),
		jackson(),
		bulk(),
		unlimited(),
		strict(),
	}
}

// ProfileNamed returns the profile with this name.
func ProfileNamed(name string) (p Profile, ok bool) {
	for _, p := range Profiles() {
		if p.Name == name {
			return p, true
		}
	}
	return Profile{}, false
}

const (
	kib = 1 << 10
	mib = 1 << 20
	gib = 1 << 30
)

func gateway() Profile {
	lim := DefaultLimits()
	lim.Input = InputLimits{MaxSize: mib, MaxLayers: 1, MaxDecompressedSize: mib, MaxTime: uint64(2 * time.Second), MaxRecordSize: mib}
	lim.Gzip.MaxDecompressedSize = mib
	lim.Gzip.MaxMembers = 16
	lim.Gzip.MaxHeaderSize = 4 * kib
	lim.Gzip.MaxWork = 1048576
	lim.JSON = jsoncheck.Limits{MaxDepth: 32, MaxStringLength: 64 * kib, MaxNameLength: 128, MaxNumberLength: 64,
		MaxExponent: 400, MaxObjectEntries: 1000, MaxArrayElements: 10000, MaxValues: 100000,
		MaxDecodedSize: 16 * mib, MaxTrackedKeys: 4096}
	lim.Msgpack = msgpackcheck.Limits{MaxDepth: 32, MaxStrLength: 64 * kib, MaxBinLength: 64 * kib, MaxExtLength: 64 * kib,
		MaxMapLength: 1000, MaxArrayLength: 10000, MaxValues: 100000,
		MaxDecodedSize: 16 * mib, MaxTrackedKeys: 4096}
	return Profile{Name: "gateway", Doc: "requests to an API: small, flat and without anything odd", Limits: lim,
		Severities: map[string]rule.Severity{
			"gzip/multi-member":           rule.Error,
			"gzip/trailing-zeros":         rule.Error,
			"json/bom":                    rule.Error,
			"json/duplicate-key":          rule.Error,
			"json/duplicate-key-fold":     rule.Note,
			"json/duplicate-unchecked":    rule.Error,
			"json/lone-surrogate":         rule.Error,
			"msgpack/utf8":                rule.Error,
			"msgpack/duplicate-key":       rule.Error,
			"msgpack/duplicate-unchecked": rule.Error,
			"msgpack/ext-type":            rule.Error,
		},
		// Of key types only those are errors that few languages can hash.
		Defaults: map[string]rule.Severity{"msgpack/key-type": rule.Error}}
}

func opa() Profile {
	lim := DefaultLimits()
	lim.Input.MaxSize = 256 * mib
	lim.Input.MaxLayers = 1
	lim.Input.MaxDecompressedSize = 512 * mib
	lim.Gzip.MaxDecompressedSize = 512 * mib
	lim.JSON.MaxDecodedSize, lim.Msgpack.MaxDecodedSize = 2*gib, 2*gib
	return Profile{Name: "opa", Doc: "what an Open Policy Agent server takes by default", Limits: lim}
}

func jackson() Profile {
	lim := DefaultLimits()
	lim.JSON.MaxDepth = 1000
	lim.JSON.MaxStringLength = 20_000_000
	lim.JSON.MaxExponent = 0
	lim.JSON.MaxObjectEntries, lim.JSON.MaxArrayElements, lim.JSON.MaxValues, lim.JSON.MaxDecodedSize = 0, 0, 0, 0
	lim.Msgpack.MaxMapLength, lim.Msgpack.MaxArrayLength, lim.Msgpack.MaxValues, lim.Msgpack.MaxDecodedSize = 0, 0, 0, 0
	return Profile{Name: "jackson", Doc: "what a Java service with Jackson's default read constraints would take", Limits: lim}
}

func bulk() Profile {
	lim := DefaultLimits()
	lim.Input = InputLimits{MaxSize: 2 * gib, MaxLayers: 3, MaxDecompressedSize: 8 * gib, MaxTime: uint64(10 * time.Minute), MaxRecordSize: 64 * mib}
	lim.Gzip.MaxDecompressedSize = 4 * gib
	lim.Gzip.MaxMembers = 0
	lim.JSON.MaxDepth = 1000
	lim.JSON.MaxStringLength = 512 * mib
	lim.JSON.MaxObjectEntries = 10_000_000
	lim.JSON.MaxArrayElements, lim.JSON.MaxValues = 0, 0
	lim.JSON.MaxDecodedSize = 16 * gib
	lim.Msgpack.MaxDepth = 512
	lim.Msgpack.MaxStrLength, lim.Msgpack.MaxBinLength, lim.Msgpack.MaxExtLength = 512*mib, 512*mib, 512*mib
	lim.Msgpack.MaxMapLength = 10_000_000
	lim.Msgpack.MaxArrayLength, lim.Msgpack.MaxValues = 0, 0
	lim.Msgpack.MaxDecodedSize = 16 * gib
	return Profile{Name: "bulk", Doc: "data sets and archives, on a machine made for them", Limits: lim}
}

func unlimited() Profile {
	p := Profile{Name: "unlimited", Doc: "no limits but the ceiling of 16 layers, no optional checks", Severities: map[string]rule.Severity{}}
	for id := range optionalChecks() {
		p.Severities[id] = rule.Off
	}
	return p
}

// strict makes an error of everything suspicious.
func strict() Profile {
	p := Profile{Name: "strict", Doc: "default limits, and everything suspicious is an error",
		Limits: DefaultLimits(), Severities: map[string]rule.Severity{}}
	for _, r := range Rules() {
		if r.Kind == rule.Suspicious || r.Default == rule.Warning {
			p.Severities[r.ID] = rule.Error
		}
	}
	return p
}
