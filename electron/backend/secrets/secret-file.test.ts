// @module-tag slow
import { mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { secretFile } from './secret-file.ts'

const open = async (folder?: string) => {
  const home = folder ?? (await mkdtemp(join(tmpdir(), 'fillbook-secrets-')))
  const damaged: string[] = []
  return { folder: home, damaged, secrets: secretFile(home, (keptAs) => damaged.push(keptAs)) }
}

test('what was set is there after a restart, and gone once removed', async () => {
  const { folder, secrets } = await open()
  await secrets.set('tokens:a', 'first')
  await secrets.set('tokens:a', 'second')
  await secrets.set('tokens:b', 'other')
  const again = (await open(folder)).secrets
  expect(await again.get('tokens:a')).toBe('second')
  await again.remove('tokens:a')
  await again.remove('never there')
  expect(await secrets.get('tokens:a')).toBeNull()
  expect(await secrets.get('tokens:b')).toBe('other')
})

test('asking an empty folder leaves no file behind', async () => {
  const { folder, secrets } = await open()
  expect(await secrets.get('constructor')).toBeNull()
  expect(await readdir(folder)).toEqual([])
})

test('nothing readable is on the disk, and only the owner may open the files', async () => {
  const { folder, secrets } = await open()
  await secrets.set('tokens:trader', 'a-very-secret-value')
  expect((await readdir(folder)).sort()).toEqual(['secrets.enc', 'secrets.key'])
  for (const name of ['secrets.enc', 'secrets.key']) {
    const content = await readFile(join(folder, name))
    expect(content.includes('a-very-secret-value')).toBe(false)
    expect(content.includes('tokens:trader')).toBe(false)
    if (process.platform !== 'win32') expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600)
  }
})

test('the same value twice does not look the same on the disk', async () => {
  const { folder, secrets } = await open()
  await secrets.set('a', 'value')
  const before = await readFile(join(folder, 'secrets.enc'))
  await secrets.set('a', 'value')
  expect((await readFile(join(folder, 'secrets.enc'))).equals(before)).toBe(false)
})

test('writes that are asked for at once all arrive', async () => {
  const { secrets } = await open()
  const names = Array.from({ length: 20 }, (_, index) => `n${String(index)}`)
  await Promise.all(names.map((name) => secrets.set(name, name)))
  expect(await Promise.all(names.map((name) => secrets.get(name)))).toEqual(names)
})

test('one flipped bit: the file is set aside and reported, and new secrets can be saved', async () => {
  const { folder, secrets, damaged } = await open()
  const path = join(folder, 'secrets.enc')
  for (const n of [1, 2]) {
    await secrets.set('a', 'value')
    const content = await readFile(path)
    content.writeUInt8(content.readUInt8(content.length - 1) ^ 1, content.length - 1)
    await writeFile(path, content)
    expect(await secrets.get('a')).toBeNull()
    expect(damaged.at(-1)).toBe(`${path}.damaged-${String(n)}`)
    expect((await readFile(`${path}.damaged-${String(n)}`)).equals(content)).toBe(true)
  }
  await secrets.set('a', 'new')
  expect(await secrets.get('a')).toBe('new')
  expect(damaged).toHaveLength(2)
})

test.each(['', 'short', '{"a":"plain text where a sealed file should be, long enough for its head"}'])('a file that was never sealed (%j) is damaged, not empty', async (text) => {
  const { folder, secrets, damaged } = await open()
  await secrets.set('a', 'value')
  await writeFile(join(folder, 'secrets.enc'), text)
  expect(await secrets.get('a')).toBeNull()
  expect(damaged).toEqual([join(folder, 'secrets.enc.damaged-1')])
})

test('a damaged key keeps both files aside', async () => {
  const { folder, secrets, damaged } = await open()
  await secrets.set('a', 'value')
  await writeFile(join(folder, 'secrets.key'), 'no key')
  expect(await secrets.get('a')).toBeNull()
  expect(damaged).toEqual([join(folder, 'secrets.key.damaged-1'), join(folder, 'secrets.enc.damaged-1')])
})

test('a folder that cannot be read is an error, not a loss', async () => {
  const { folder } = await open()
  await writeFile(join(folder, 'not-a-folder'), '')
  const { secrets, damaged } = await open(join(folder, 'not-a-folder'))
  await expect(secrets.get('a')).rejects.toThrow('ENOTDIR')
  await expect(secrets.set('a', 'value')).rejects.toThrow()
  expect(damaged).toEqual([])
})
