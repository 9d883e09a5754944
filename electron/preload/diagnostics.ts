import { getGlobal } from '@electron/remote'
import { contextBridge } from 'electron'
import { diagnosticsGlobal, type AskDiagnostics, type DiagnosticsAnswers, type DiagnosticsBridge, type DiagnosticsQuestion } from '#shared/bridge/diagnostics-bridge.ts'

const remoteAsk = getGlobal(diagnosticsGlobal) as AskDiagnostics

const bridge: DiagnosticsBridge = {
  ask: <Question extends DiagnosticsQuestion>(question: Question) =>
    new Promise<DiagnosticsAnswers[Question] | null>((resolve) => {
      remoteAsk(question, (json) => resolve(JSON.parse(json) as DiagnosticsAnswers[Question] | null))
    }),
}

contextBridge.exposeInMainWorld('fillbookDiagnostics', bridge)
