{{- define "callwright.name" -}}
{{- if contains "callwright" .Release.Name }}{{ .Release.Name | trunc 52 | trimSuffix "-" }}{{ else }}{{ printf "%s-callwright" .Release.Name | trunc 52 | trimSuffix "-" }}{{ end -}}
{{- end -}}

{{- define "callwright.selector" -}}
app.kubernetes.io/name: callwright
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "callwright.labels" -}}
{{ include "callwright.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "callwright-%s" .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "callwright.secret" -}}
{{- if .Values.secret.existing }}{{ .Values.secret.existing }}{{ else }}{{ include "callwright.name" . }}{{ end -}}
{{- end -}}

{{- define "callwright.account" -}}
{{- if .Values.serviceAccount.name }}{{ .Values.serviceAccount.name }}{{ else }}{{ include "callwright.name" . }}{{ end -}}
{{- end -}}

{{- /* The configuration: that of the values, with what the chart adds. */ -}}
{{- define "callwright.config" -}}
{{- $config := deepCopy .Values.config -}}
{{- $_ := set $config "listen" "0.0.0.0:8787" -}}
{{- if not (or (hasKey $config "keys") (hasKey $config "keys_file")) -}}
{{- $_ := set $config "keys" (list "env:CALLWRIGHT_KEY") -}}
{{- end -}}
{{- if not (hasKey $config "state") -}}
{{- if .Values.nats.server.enabled -}}
{{- $_ := set $config "state" (dict "nats" (printf "nats://%s-nats:4222" (include "callwright.name" .))) -}}
{{- else if .Values.nats.url -}}
{{- $_ := set $config "state" (dict "nats" .Values.nats.url) -}}
{{- end -}}
{{- end -}}
{{- toYaml $config -}}
{{- end -}}
