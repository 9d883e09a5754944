import type { ProcessFigures } from '#shared/bridge/diagnostics-bridge.ts'

/** Electron's metrics of a process; `workingSetSize` is in KiB. */
export type ProcessMetric = {
  readonly pid: number
  readonly type: string
  readonly name?: string | undefined
  readonly serviceName?: string | undefined
  readonly cpu: { readonly percentCPUUsage: number }
  readonly memory: { readonly workingSetSize: number }
}

const kinds = { Browser: 'main', Tab: 'window', GPU: 'graphics', Utility: 'service', Zygote: 'launcher', 'Sandbox helper': 'launcher' } as const

/** The kind of a process, shown if it has no name. */
export type ProcessKind = (typeof kinds)[keyof typeof kinds] | 'other'

/** The figures of all processes, largest first; `kindName` translates a kind. */
export const processFigures = (metrics: readonly ProcessMetric[], kindName: (kind: ProcessKind) => string): readonly ProcessFigures[] =>
  metrics
    .map(({ pid, type, name, cpu, memory }) => {
      const kind = Object.hasOwn(kinds, type) ? kinds[type as keyof typeof kinds] : 'other'
      const word = kindName(kind)
      return { pid, name: name === undefined || name === '' ? word : `${word}: ${name}`, memory: memory.workingSetSize * 1_024, cpu: cpu.percentCPUUsage }
    })
    .toSorted((one, other) => other.memory - one.memory || one.pid - other.pid)
