{{- /* Parts of several manifests. Every name begins with that of the release. */}}

{{- define "openrummy.labels" -}}
app.kubernetes.io/name: openrummy
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end }}

{{- define "openrummy.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "openrummy.pod-security" -}}
runAsNonRoot: true
runAsUser: 10001
fsGroup: 10001
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "openrummy.container-security" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{- /* Settings as variables, not as a ConfigMap: migrations run before any of that is there. */}}
{{- define "openrummy.settings" -}}
{{- $documents := .Values.documents }}
{{- if not (or $documents.bucket $documents.claim) }}
{{- fail "Set documents.bucket or documents.claim: identity documents need a place that every node reaches." }}
{{- end }}
{{- $own := dict "ALLOWED_HOSTS" .Values.host "WEBSOCKET_ORIGINS" (printf "https://%s" .Values.host) }}
{{- if $documents.bucket }}
{{- $own = merge $own (dict "DOCUMENTS_BUCKET" $documents.bucket "DOCUMENTS_ENDPOINT" $documents.endpoint "DOCUMENTS_REGION" $documents.region) }}
{{- end }}
{{- range $name, $value := merge (dict) .Values.settings $own }}
- name: {{ $name | quote }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}

{{- define "openrummy.volumes" -}}
- name: tmp
  emptyDir: {}
{{- with .Values.documents.claim }}
- name: private
  persistentVolumeClaim:
    claimName: {{ . | quote }}
{{- end }}
{{- end }}

{{- define "openrummy.mounts" -}}
- name: tmp
  mountPath: /tmp
{{- if .Values.documents.claim }}
- name: private
  mountPath: /srv/private
{{- end }}
{{- end }}

{{/* The Ingress `name` for the paths below `path`. */}}
{{- define "openrummy.ingress" }}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: {{ .name | quote }}
  labels: {{- include "openrummy.labels" .root | nindent 4 }}
  {{- with .annotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  {{- with .root.Values.ingress.className }}
  ingressClassName: {{ . | quote }}
  {{- end }}
  {{- with .root.Values.ingress.tlsSecret }}
  tls:
    - hosts: [{{ $.root.Values.host | quote }}]
      secretName: {{ . | quote }}
  {{- end }}
  rules:
    - host: {{ .root.Values.host | quote }}
      http:
        paths:
          - path: {{ .path }}
            pathType: Prefix
            backend:
              service:
                name: {{ .root.Release.Name | quote }}
                port: {name: http}
{{- end }}
