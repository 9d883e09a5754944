import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

// Where a program of Electron keeps its fuses: a mark, the version and the length of the wire, and a byte for each fuse.
const fuseWire = Buffer.concat([Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'), Buffer.from([1, 9]), Buffer.from('101100011')])

const languages = ['de', 'en-US', 'ml', 'zh-CN']

/** Every file of the runtime's folder, but for the languages; the first is the program itself. */
const files = {
  linux: ['electron', 'chrome_crashpad_handler', 'libffmpeg.so', 'icudtl.dat', 'resources.pak', 'version', 'LICENSE', 'LICENSES.chromium.html'],
  win32: ['electron.exe', 'ffmpeg.dll', 'icudtl.dat', 'resources.pak', 'version', 'LICENSE', 'LICENSES.chromium.html'],
} as const

type ExecutableFile = { setExtraData: (data: ArrayBuffer) => void; generate: () => ArrayBuffer }
type Resources = { entries: unknown[]; outputResource: (into: ExecutableFile) => void }
type VersionInfo = { setStringValues: (language: object, values: object) => void; outputToResourceEntries: (into: unknown[]) => void }

/** A program of Windows that does nothing, with the resources that a packer edits. */
const windowsProgram = (): Buffer => {
  const own = createRequire(createRequire(import.meta.url).resolve('app-builder-lib'))
  const { NtExecutable, NtExecutableResource, Resource } = own('resedit') as {
    NtExecutable: { createEmpty: (is32Bit: boolean, isDll: boolean) => ExecutableFile }
    NtExecutableResource: { from: (file: ExecutableFile) => Resources }
    Resource: { VersionInfo: { createEmpty: () => VersionInfo } }
  }
  const program = NtExecutable.createEmpty(false, false)
  const resources = NtExecutableResource.from(program)
  const version = Resource.VersionInfo.createEmpty()
  version.setStringValues({ lang: 0x0409, codepage: 1_200 }, { FileDescription: 'Electron' })
  version.outputToResourceEntries(resources.entries)
  resources.outputResource(program)
  program.setExtraData(new Uint8Array(fuseWire).buffer)
  return Buffer.from(program.generate())
}

/** Writes into `folder` what looks to a packer like Electron's runtime, fuses as Electron delivers them; it runs nothing. */
export const writePlaceholderRuntime = (folder: string, platform: keyof typeof files): void => {
  const [program, ...others] = files[platform]
  const write = (file: string, data: Buffer | string): void => {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), data)
  }
  write(program, platform === 'win32' ? windowsProgram() : Buffer.concat([Buffer.from('\x7fELF, in its place'), fuseWire]))
  chmodSync(join(folder, program), 0o755)
  for (const file of others) write(file, 'in its place')
  for (const language of languages) write(join('locales', `${language}.pak`), 'in its place')
}
