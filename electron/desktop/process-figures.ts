import type { ProcessFigures } from '#shared/bridge/diagnostics-bridge.ts'

/** What Electron tells of a process; `workingSetSize` is in KiB. */
export type ProcessMetric = {
  readonly pid: number
  readonly type: string
  readonly name?: string | undefined
  readonly serviceName?: string | undefined
  readonly cpu: { readonly percentCPUUsage: number }
  readonly memory: { readonly workingSetSize: number }
}

const kinds = { Browser: 'main', Tab: 'window', GPU: 'graphics', Utility: 'service', Zygote: 'launcher', 'Sandbox helper': 'launcher' } as const

/** What a process is called where it has no name of its own. */
export type ProcessKind = (typeof kinds)[keyof typeof kinds] | 'other'

/** The figures of all processes, the largest first; `sayKind` gives the word of a kind. */
export const processFigures = (metrics: readonly ProcessMetric[], sayKind: (kind: ProcessKind) => string): readonly ProcessFigures[] =>
  metrics
    .map(({ pid, type, name, cpu, memory }) => {
      const kind = Object.hasOwn(kinds, type) ? kinds[type as keyof typeof kinds] : 'other'
      const word = sayKind(kind)
      return { pid, name: name === undefined || name === '' ? word : `${word}: ${name}`, memory: memory.workingSetSize * 1_024, cpu: cpu.percentCPUUsage }
    })
    .toSorted((one, other) => other.memory - one.memory || one.pid - other.pid)
