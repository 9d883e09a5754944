// @module-tag slow
import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const has = (command: string): boolean => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0
const hasKeyring = process.platform === 'linux' && has('dbus-run-session') && has('gnome-keyring-daemon')

const run = promisify(execFile)

/** Runs a script against the real secret service of a session of its own. */
const inSession = async (home: string, script: string): Promise<unknown> => {
  const shell = 'printf pass | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1; exec "$0" --input-type=module -e "$1"'
  const env = { ...process.env, HOME: home, XDG_RUNTIME_DIR: home, XDG_DATA_HOME: home }
  const { stdout } = await run('dbus-run-session', ['--', 'sh', '-c', shell, process.execPath, script], { env })
  return JSON.parse(stdout)
}

const opening = (folder: string): string => `
  import { openSecrets } from ${JSON.stringify(new URL('./open-secrets.ts', import.meta.url).href)}
  const opened = await openSecrets({ mode: 'keychain', profile: 'test', folder: ${JSON.stringify(folder)}, onDamaged: console.error })
  const secrets = opened.value
`

test.skipIf(!hasKeyring)('the real keychain of Linux keeps short and long secrets beyond the end of the session', async () => {
  const home = await mkdtemp(join(tmpdir(), 'fillbook-keyring-'))
  const first = await inSession(
    home,
    `${opening(home)}
    await secrets.set('tokens:a', 'short')
    await secrets.set('tokens:b', 'long'.repeat(2_000))
    await secrets.set('tokens:c', 'removed')
    await secrets.remove('tokens:c')
    console.log(JSON.stringify([secrets.kind, await secrets.get('tokens:a')]))`,
  )
  expect(first).toEqual(['keychain', 'short'])
  const second = await inSession(home, `${opening(home)}
    console.log(JSON.stringify(await Promise.all(['tokens:a', 'tokens:b', 'tokens:c'].map(secrets.get))))`)
  expect(second).toEqual(['short', 'long'.repeat(2_000), null])
})

test.skipIf(process.platform !== 'linux')('a machine without a secret service has no keychain, and says so', async () => {
  const home = await mkdtemp(join(tmpdir(), 'fillbook-keyring-'))
  const script = `
    import { openSecrets } from ${JSON.stringify(new URL('./open-secrets.ts', import.meta.url).href)}
    const options = { profile: 'test', folder: ${JSON.stringify(home)}, onDamaged: console.error }
    console.log(JSON.stringify([await openSecrets({ ...options, mode: 'keychain' }), (await openSecrets({ ...options, mode: 'auto' })).value.kind]))`
  const env = { ...process.env, DBUS_SESSION_BUS_ADDRESS: `unix:path=${join(home, 'nobody')}` }
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { env })
  expect(JSON.parse(stdout)).toEqual([{ ok: false, error: 'no-keychain' }, 'file'])
})
