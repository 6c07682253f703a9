package deploy_test

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"helm.sh/helm/v3/pkg/lint"
	"helm.sh/helm/v3/pkg/lint/support"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"sigs.k8s.io/yaml"

	"github.com/callwright/callwright/internal/config"
)

// chart is the folder of the chart.
const chart = "../../packaging/helm/callwright"

// kinds are the types of Kubernetes that the chart makes, by apiVersion and kind.
var kinds = map[string]func() any{
	"v1 ConfigMap":                           func() any { return new(corev1.ConfigMap) },
	"v1 Secret":                              func() any { return new(corev1.Secret) },
	"v1 Service":                             func() any { return new(corev1.Service) },
	"v1 ServiceAccount":                      func() any { return new(corev1.ServiceAccount) },
	"apps/v1 Deployment":                     func() any { return new(appsv1.Deployment) },
	"apps/v1 StatefulSet":                    func() any { return new(appsv1.StatefulSet) },
	"autoscaling/v2 HorizontalPodAutoscaler": func() any { return new(autoscalingv2.HorizontalPodAutoscaler) },
	"policy/v1 PodDisruptionBudget":          func() any { return new(policyv1.PodDisruptionBudget) },
}

// always are the objects that the chart makes in every case.
var always = []string{"ConfigMap", "Deployment", "PodDisruptionBudget", "Secret", "Service", "ServiceAccount"}

// charts are values, with the objects that they make and the configuration of the gateway.
var charts = map[string]struct {
	values string
	makes  []string
	config string
	wrong  string // a part of the error
}{
	"key":             {values: "secret: {values: {CALLWRIGHT_KEY: sesame}}", makes: always, config: "keys:\n- env:CALLWRIGHT_KEY\nlisten: 0.0.0.0:8787"},
	"existing secret": {values: "secret: {existing: mine}", makes: without(always, "Secret"), config: "keys:\n- env:CALLWRIGHT_KEY\nlisten: 0.0.0.0:8787"},
	"NATS that is there": {values: "secret: {existing: mine}\nnats: {url: nats://nats:4222}\nreplicas: 3", makes: without(always, "Secret"),
		config: "keys:\n- env:CALLWRIGHT_KEY\nlisten: 0.0.0.0:8787\nstate:\n  nats: nats://nats:4222"},
	"a server of NATS": {values: "secret: {existing: mine}\nnats: {server: {enabled: true, storageClass: fast}}", makes: append(without(always, "Secret"), "Service", "StatefulSet"),
		config: "keys:\n- env:CALLWRIGHT_KEY\nlisten: 0.0.0.0:8787\nstate:\n  nats: nats://callwright-nats:4222"},
	"autoscaling": {values: "secret: {existing: mine}\nautoscaling: {enabled: true}\ndisruptionBudget: {enabled: false}\nserviceAccount: {name: mine}",
		makes: append(without(always, "Secret", "PodDisruptionBudget", "ServiceAccount"), "HorizontalPodAutoscaler"), config: "keys:\n- env:CALLWRIGHT_KEY\nlisten: 0.0.0.0:8787"},
	"all values": {values: `
secret: {values: {CALLWRIGHT_KEY: sesame, OPENAI_API_KEY: sk}}
config: {keys: [{name: a, key: env:CALLWRIGHT_KEY}], providers: {openai: {}}, models: {fast: {model: openai/gpt-4o-mini}}, state: {dir: /var/lib/callwright}}
image: {repository: registry.example/callwright, tag: v9, pullPolicy: Always}
imagePullSecrets: [{name: pull}]
env: [{name: GOMEMLIMIT, value: 400MiB}]
service: {type: LoadBalancer, port: 80, annotations: {a: b}}
serviceAccount: {annotations: {a: b}}
podAnnotations: {a: b}
podLabels: {a: b}
nodeSelector: {a: b}
tolerations: [{key: a, operator: Exists}]
affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Exists}]}]}}}
`, makes: always, config: "keys:\n- key: env:CALLWRIGHT_KEY\n  name: a\nlisten: 0.0.0.0:8787\nmodels:\n  fast:\n    model: openai/gpt-4o-mini\nproviders:\n  openai: {}\nstate:\n  dir: /var/lib/callwright"},

	"no key":            {values: "{}", wrong: "set secret.values.CALLWRIGHT_KEY"},
	"two kinds of NATS": {values: "secret: {existing: mine}\nnats: {url: nats://nats:4222, server: {enabled: true}}", wrong: "set one of them"},
	"unknown value":     {values: "secret: {existing: mine}\nreplica: 2", wrong: "replica"},
}

func without(list []string, names ...string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(n string) bool { return slices.Contains(names, n) })
}

// The chart makes what its values say, each object as Kubernetes has it, and a configuration that the gateway takes.
func TestChart(t *testing.T) {
	for name, tc := range charts {
		t.Run(name, func(t *testing.T) {
			objects, err := render(t, tc.values)
			if tc.wrong != "" {
				if err == nil || !strings.Contains(err.Error(), tc.wrong) {
					t.Fatalf("got %v, want an error with %q", err, tc.wrong)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var made []string
			for _, o := range objects {
				kind, conf := decode(t, o)
				made = append(made, kind)
				if kind == "ConfigMap" {
					checkConfig(t, conf, tc.config)
				}
			}
			want := slices.Sorted(slices.Values(tc.makes))
			if slices.Sort(made); !slices.Equal(made, want) {
				t.Errorf("made %v, want %v", made, want)
			}
			var values map[string]any
			if err := yaml.Unmarshal([]byte(tc.values), &values); err != nil {
				t.Fatal(err)
			}
			for _, m := range lint.All(chart, values, "default", true).Messages {
				if m.Severity > support.InfoSev {
					t.Error(m)
				}
			}
		})
	}
}

// render returns the objects that the chart makes of values.
func render(t *testing.T, values string) ([]string, error) {
	t.Helper()
	c, err := loader.LoadDir(chart)
	if err != nil {
		t.Fatal(err)
	}
	v, err := chartutil.ReadValues([]byte(values))
	if err != nil {
		t.Fatal(err)
	}
	all, err := chartutil.ToRenderValues(c, v, chartutil.ReleaseOptions{Name: "callwright", Namespace: "default", IsInstall: true}, chartutil.DefaultCapabilities)
	if err != nil {
		return nil, err
	}
	files, err := engine.Engine{Strict: true}.Render(c, all)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if !strings.HasSuffix(name, ".yaml") {
			continue
		}
		for _, o := range regexp.MustCompile(`(?m)^---$`).Split(files[name], -1) {
			if strings.TrimSpace(o) != "" {
				out = append(out, o)
			}
		}
	}
	return out, nil
}

// decode decodes an object strictly, and returns its kind and, of a ConfigMap, the configuration.
func decode(t *testing.T, object string) (kind, conf string) {
	t.Helper()
	var head struct{ APIVersion, Kind string }
	if err := yaml.Unmarshal([]byte(object), &head); err != nil {
		t.Fatalf("%v\n%s", err, object)
	}
	make, ok := kinds[head.APIVersion+" "+head.Kind]
	if !ok {
		t.Fatalf("no type for %+v", head)
	}
	o := make()
	if err := yaml.UnmarshalStrict([]byte(object), o); err != nil {
		t.Errorf("%s: %v\n%s", head.Kind, err, object)
	}
	if m, ok := o.(*corev1.ConfigMap); ok {
		conf = m.Data["callwright.yaml"]
	}
	return head.Kind, conf
}

// checkConfig checks a configuration, which is to have a text where want is not empty.
func checkConfig(t *testing.T, text, want string) {
	t.Helper()
	if want != "" && strings.TrimSpace(text) != want {
		t.Errorf("the configuration is\n%s\nwant\n%s", text, want)
	}
	file := filepath.Join(t.TempDir(), "callwright.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	env := func(name string) (string, bool) { return "the value of " + name, true }
	c, err := config.Load(file, env)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if _, _, err := c.Access("", env); err != nil {
		t.Error(err)
	}
	for _, e := range c.Warnings() {
		t.Error(e)
	}
}
