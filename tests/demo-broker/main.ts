import { parseArgs } from 'node:util'
import { z } from 'zod'
import { startTestBroker, type TestBrokerOptions } from './broker.ts'
import { lastCompleteSession } from './last-complete-session.ts'
import { loadScenario } from './load-scenario.ts'

const USAGE = 'main.ts [--anchor YYYY-MM-DD] [--seed n] [--port n] [--state-file path] [--volume fills [--accounts n] [--contracts n]] [--floor login:live:demo,…] [--load]'

// `ava:0:3,ben:2:10`: each login with so many live and so many demo accounts.
const floorSchema = z.string().regex(/^[^:,]+:\d+:\d+(?:,[^:,]+:\d+:\d+)*$/, 'wants login:live:demo').transform((logins) =>
  logins.split(',').map((each) => {
    const [name = '', live, demo] = each.split(':')
    return { name, live: Number(live), demo: Number(demo) }
  }))

const flagsSchema = z.object({
  anchor: z.iso.date().optional(),
  seed: z.coerce.number().int().optional(),
  port: z.coerce.number().int().min(0).max(65_535).optional(),
  'state-file': z.string().optional(),
  volume: z.coerce.number().int().positive().optional(),
  accounts: z.coerce.number().int().positive().default(4),
  contracts: z.coerce.number().int().positive().max(12).default(6),
  floor: floorSchema.optional(),
  load: z.boolean().default(false),
})

const { values } = parseArgs({
  options: {
    anchor: { type: 'string' }, seed: { type: 'string' }, port: { type: 'string' }, 'state-file': { type: 'string' },
    volume: { type: 'string' }, accounts: { type: 'string' }, contracts: { type: 'string' },
    floor: { type: 'string' }, load: { type: 'boolean' },
  },
})
const flags = flagsSchema.safeParse(values)
if (!flags.success) {
  console.error(`${z.prettifyError(flags.error)}\n${USAGE}`)
  process.exit(2)
}

const { anchor, seed, port, 'state-file': stateFile, volume, accounts, contracts, floor, load } = flags.data
const options: TestBrokerOptions = {
  anchor: anchor ?? lastCompleteSession(Date.now()),
  ...(seed === undefined ? {} : { seed }),
  ...(port === undefined ? {} : { port }),
  ...(stateFile === undefined ? {} : { stateFile }),
  ...(volume === undefined ? {} : { scenario: { kind: 'volume', fills: volume, accounts, contracts } }),
  ...(floor === undefined ? {} : { scenario: { kind: 'floor', logins: floor } }),
  ...(load ? { scenario: loadScenario } : {}),
}
const broker = await startTestBroker(options)
const { url, origins, clientId, clientSecret, controlToken, logins, walk } = broker
console.log(JSON.stringify({ url, port: broker.port, origins, clientId, clientSecret, controlToken, logins, walk }))

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void broker.stop())
