import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { z } from 'zod'
import { freePort } from './free-port.ts'
import { until } from './until.ts'

const version = '15.34.2'
const cache = fileURLToPath(new URL('../../node_modules/.cache/auth-emulator', import.meta.url))
const installed = join(cache, version)
const program = join(installed, 'node_modules/firebase-tools/lib/bin/firebase.js')
/** Project names that start with `demo-` exist only in the emulator. */
const projectId = 'demo-fillbook'
// It takes half a minute, and three times that on a slow machine; what hangs longer never ends.
const installPatienceMs = 150_000
const startPatienceMs = 480_000

const oobCode = z.object({ email: z.string(), requestType: z.enum(['EMAIL_SIGNIN', 'PASSWORD_RESET', 'VERIFY_EMAIL', 'RECOVER_EMAIL']), oobCode: z.string(), oobLink: z.url() })
const account = z.object({ localId: z.string(), email: z.string().optional(), emailVerified: z.boolean().optional(), disabled: z.boolean().optional() })

/** A mail that the emulator would have sent. */
export type MailedLink = z.infer<typeof oobCode>
/** A user of the emulator. */
export type EmulatedUser = z.infer<typeof account>

/** Firebase's own Auth emulator, in a process of its own. */
export type AuthEmulator = {
  readonly url: string
  readonly projectId: string
  /** The settings by which the program signs in there. */
  readonly env: Readonly<Record<string, string>>
  /** The links that were mailed and not used yet, oldest first. */
  readonly oobCodes: () => Promise<MailedLink[]>
  /** The last link of a kind that was mailed to an address; waits for it. */
  readonly mailed: (email: string, kind: MailedLink['requestType']) => Promise<string>
  /** Opens a mailed link as its reader does, without following where it leads on to; gives that address. */
  readonly follow: (link: string, more?: Readonly<Record<string, string>>) => Promise<string | null>
  readonly accounts: () => Promise<EmulatedUser[]>
  /** Throws if no user has this email. */
  readonly accountOf: (email: string) => Promise<EmulatedUser>
  /** Disables a user, or enables one again. */
  readonly disable: (email: string, disabled?: boolean) => Promise<void>
  /** Deletes a user, as the provider's console does: every token of this user is refused from then on. */
  readonly remove: (email: string) => Promise<void>
  /** Marks an address as verified, as if the mailed link had been opened. */
  readonly verify: (email: string) => Promise<void>
  /** Ends the process; users and mails are gone with it. */
  readonly stop: () => Promise<void>
}

/** Installs the emulator where it is not yet, and starts it on a free port of 127.0.0.1. Whoever starts it stops it. */
export const startAuthEmulator = async (): Promise<AuthEmulator> => {
  await install()
  return await startOn(await Promise.all([freePort(), freePort(), freePort()]))
}

const startOn = async ([port, hub, logging]: readonly [number, number, number]): Promise<AuthEmulator> => {
  const folder = await mkdtemp(join(tmpdir(), 'fillbook-auth-emulator-'))
  const at = (chosen: number): object => ({ host: '127.0.0.1', port: chosen })
  await writeFile(join(folder, 'firebase.json'), JSON.stringify({ emulators: { auth: at(port), hub: at(hub), logging: at(logging), ui: { enabled: false }, singleProjectMode: false } }))
  const child = spawn(process.execPath, [program, 'emulators:start', '--only', 'auth', '--project', projectId, '--non-interactive'], {
    cwd: folder,
    // Its own home: it reads no sign-in of whoever runs the tests, and leaves nothing behind. Its own folder for what is passing: two of one project find each other there.
    env: { ...process.env, HOME: folder, USERPROFILE: folder, XDG_CONFIG_HOME: folder, TMPDIR: folder, TEMP: folder, CI: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()))
  const ended = once(child, 'exit')
  const exitedEarly = (): boolean => process.stderr.write(`The Auth emulator exited early:\n${output}\n`)
  const stop = async (): Promise<void> => {
    child.off('exit', exitedEarly)
    child.kill('SIGTERM')
    const cut = setTimeout(() => child.kill('SIGKILL'), 10_000)
    await ended
    clearTimeout(cut)
    await rm(folder, { recursive: true, force: true })
  }
  const url = `http://127.0.0.1:${String(port)}`
  try {
    await until(async () => {
      if (child.exitCode !== null) throw new Error('The Auth emulator ended before it was ready')
      // It calls itself ready before its port is open.
      return output.includes('All emulators ready') && (await fetch(`${url}/emulator/v1/projects/${projectId}/config`).then((answer) => answer.ok, () => false)) ? true : undefined
    }, 'the Auth emulator', startPatienceMs)
  } catch (cause) {
    await stop()
    throw new Error(`The Auth emulator did not start:\n${output}`, { cause })
  }
  child.once('exit', exitedEarly)
  return emulatorAt(url, stop)
}

const emulatorAt = (url: string, stop: () => Promise<void>): AuthEmulator => {
  const project = `${url}/identitytoolkit.googleapis.com/v1/projects/${projectId}`
  // 'owner' is the emulator's own word for whoever administers it.
  const asOwner = { authorization: 'Bearer owner', 'content-type': 'application/json' }
  const post = async (path: string, body: object): Promise<unknown> => {
    const answer = await fetch(`${project}/${path}`, { method: 'POST', headers: asOwner, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`The Auth emulator answered ${String(answer.status)} to ${path}: ${await answer.text()}`)
    return answer.json()
  }
  const oobCodes: AuthEmulator['oobCodes'] = async () =>
    z.object({ oobCodes: z.array(oobCode).default([]) }).parse(await (await fetch(`${url}/emulator/v1/projects/${projectId}/oobCodes`)).json()).oobCodes
  const accounts: AuthEmulator['accounts'] = async () => z.object({ userInfo: z.array(account).default([]) }).parse(await post('accounts:query', {})).userInfo
  const accountOf: AuthEmulator['accountOf'] = async (email) => {
    const found = (await accounts()).find((one) => one.email === email)
    if (found === undefined) throw new Error('The Auth emulator has no such user')
    return found
  }
  const change = async (email: string, fields: object): Promise<void> => void (await post('accounts:update', { localId: (await accountOf(email)).localId, ...fields }))
  return {
    url,
    projectId,
    env: { FILLBOOK_FIREBASE_API_KEY: 'emulated-key', FILLBOOK_FIREBASE_PROJECT_ID: projectId, FILLBOOK_FIREBASE_EMULATOR_URL: url },
    oobCodes,
    mailed: (email, kind) => until(async () => (await oobCodes()).findLast((one) => one.email === email && one.requestType === kind)?.oobLink, `a mail of the kind ${kind}`),
    follow: async (link, more = {}) => {
      const address = new URL(link)
      for (const [name, value] of Object.entries(more)) address.searchParams.set(name, value)
      const answer = await fetch(address, { redirect: 'manual' })
      if (answer.status >= 400) throw new Error(`A mailed link answered ${String(answer.status)}: ${await answer.text()}`)
      return answer.headers.get('location')
    },
    accounts,
    accountOf,
    disable: (email, disabled = true) => change(email, { disableUser: disabled }),
    remove: async (email) => void (await post('accounts:delete', { localId: (await accountOf(email)).localId })),
    verify: (email) => change(email, { emailVerified: true }),
    stop,
  }
}

/** Outside the main install, since few need it and it is large. One at a time installs it, since two at once hold each other up; a download that breaks off or hangs is restarted, and the folder gets its name once it is whole. */
const install = async (tries = 4): Promise<void> => {
  if (existsSync(program)) return
  await mkdir(cache, { recursive: true })
  const turn = join(cache, 'installing')
  const mine = await mkdir(turn).then(() => true, () => false)
  if (!mine) {
    // Whoever has the turn may have been killed with it.
    await until(async () => (existsSync(turn) && Date.now() - ((await stat(turn).catch(() => null))?.mtimeMs ?? 0) < installPatienceMs + 10_000 ? undefined : true), 'the end of another install', 2 * installPatienceMs)
    if (existsSync(turn) && !existsSync(program)) await rm(turn, { recursive: true, force: true })
    return await install(tries)
  }
  try {
    await writeFile(join(turn, 'package.json'), '{"private":true}')
    await promisify(execFile)('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--fetch-timeout=30000', '--fetch-retries=5', `firebase-tools@${version}`], { cwd: turn, timeout: installPatienceMs, shell: process.platform === 'win32' })
    await rename(turn, installed)
  } catch (cause) {
    await rm(turn, { recursive: true, force: true })
    if (tries > 1) return await install(tries - 1)
    throw new Error(`The Auth emulator could not be installed: run \`npm install --ignore-scripts firebase-tools@${version}\` in an empty folder to see why, and move that folder to ${installed}.`, { cause })
  }
}
