import './hooks.ts'
import { parseArgs } from 'node:util'

/**
 * `node tests/simulation/run.ts 17` lives through world 17 and prints what happened; `--steps` and `--without` are those of a shrunk world.
 * `--from 1 --count 50` runs many and prints one line of JSON: which failed, and worlds per second. `--shrink` shrinks what fails.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { steps: { type: 'string' }, without: { type: 'string' }, from: { type: 'string' }, count: { type: 'string' }, shrink: { type: 'boolean' }, first: { type: 'boolean' }, pass: { type: 'string' } },
})
const pass = values.pass === undefined ? {} : { pass: values.pass.split(',') }
const { simulate, shrink } = await import('./simulate.ts')
const { computerNow, computerTurn } = await import('./clock.ts')
const print = (text: string): void => void process.stdout.write(`${text}\n`)

const replay = (plan: { readonly seed: number; readonly steps?: number; readonly without?: readonly number[]; readonly pass?: readonly string[] }): string =>
  `npm exec -- node tests/simulation/run.ts ${String(plan.seed)}${plan.steps === undefined ? '' : ` --steps ${String(plan.steps)}`}${plan.without === undefined || plan.without.length === 0 ? '' : ` --without ${plan.without.join(',')}`}${plan.pass === undefined ? '' : ` --pass ${plan.pass.join(',')}`}`

const [only] = positionals
if (only !== undefined) {
  const first = await simulate({ seed: Number(only), ...pass, ...(values.steps === undefined ? {} : { steps: Number(values.steps) }), ...(values.without === undefined ? {} : { without: values.without.split(',').map(Number) }) })
  const outcome = values.shrink === true && first.breach !== null ? await shrink(first) : first
  print(outcome.trace.join('\n'))
  print(outcome.breach === null ? `World ${only}: nothing found in ${String(outcome.steps)} steps` : `World ${only}: ${outcome.breach.rule}: ${outcome.breach.account} ${outcome.breach.contract} ${outcome.breach.says}\n${replay(outcome.plan)}`)
  print(`${outcome.ms.toFixed(0)} ms for ${(outcome.virtualMs / 60_000).toFixed(1)} minutes, ${String(outcome.events)} events`)
  process.exitCode = outcome.breach === null ? 0 : 1
} else {
  const [from, count] = [Number(values.from ?? 1), Number(values.count ?? 50)]
  const began = computerNow()
  const cpu = process.cpuUsage()
  const failed: { readonly seed: number; readonly rule: string; readonly says: string; readonly steps: number; readonly replay: string; readonly trace: readonly string[] }[] = []
  let worlds = 0
  let virtualMs = 0
  const acts = new Map<string, number>()
  let events = 0
  for (let seed = from; seed < from + count; seed += 1) {
    const outcome = await simulate({ seed, ...pass })
    worlds += 1
    virtualMs += outcome.virtualMs
    events += outcome.events
    for (const act of outcome.done) acts.set(act, (acts.get(act) ?? 0) + 1)
    if (outcome.breach !== null) {
      const least = values.shrink === true ? await shrink(outcome) : outcome
      failed.push({ seed, rule: outcome.breach.rule, says: `${outcome.breach.account} ${outcome.breach.contract} ${outcome.breach.says}`, steps: least.steps, replay: replay(least.plan), trace: least.trace.slice(-40) })
      if (values.first === true) break
    }
    await computerTurn()
  }
  const ms = computerNow() - began
  const used = process.cpuUsage(cpu)
  print(JSON.stringify({ worlds, ms: Math.round(ms), cpuMsPerWorld: Math.round((used.user + used.system) / 1000 / worlds), worldsPerSecond: Math.round((worlds / ms) * 10_000) / 10, virtualHours: Math.round(virtualMs / 360_000) / 10, events, acts: Object.fromEntries(acts), failed }))
}
process.exit()
