import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { extractAll, listPackage } from '@electron/asar'
import { Arch, Platform, type Configuration } from 'electron-builder'
import { buildDesktop } from '../../build/desktop.ts'
import { layPackages, pack } from '../../build/pack.ts'
import { writePlaceholderRuntime } from './placeholder-runtime.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A project of its own with everything that packing reads, in a folder far from the sources. */
export type PackedProject = {
  /** Packs for 64-bit machines of a system around a placeholder of Electron's runtime, and gives the folder that would be installed. */
  readonly packFor: (system: 'linux' | 'win32', config?: Configuration) => Promise<string>
  readonly remove: () => void
}

/** Builds the desktop's bundle and lays out what packing reads. Whoever opens it removes it. */
export const openPackedProject = async (): Promise<PackedProject> => {
  const projectDir = mkdtempSync(join(tmpdir(), 'fillbook-packed-'))
  const bundle = join(projectDir, 'dist', 'desktop')
  await buildDesktop(bundle)
  layPackages(bundle)
  for (const path of ['package.json', 'build/icons', 'build/entitlements.mac.plist']) cpSync(join(root, path), join(projectDir, path), { recursive: true })
  return {
    packFor: async (system, config = {}) => {
      const electronDist = join(projectDir, `runtime-${system}`)
      writePlaceholderRuntime(electronDist, system)
      const [platform, folder] = system === 'linux' ? [Platform.LINUX, 'linux-unpacked'] : [Platform.WINDOWS, 'win-unpacked']
      await pack({ platform, arch: Arch.x64, what: 'folder', projectDir, config: { electronDist, ...config } })
      return join(projectDir, config.directories?.output ?? 'dist/packed', folder)
    },
    remove: () => rmSync(projectDir, { recursive: true, force: true }),
  }
}

/** Every file below a folder, by its path there. */
export const filesBelow = (folder: string): string[] => readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))

/** Every file in an archive, with a mark before those that lie beside it. */
export const filesInArchive = (archive: string): string[] => {
  const folders = new Set<string>()
  const entries = listPackage(archive, { isPack: true }).map((line) => /^(pack|unpack) +: [\\/](.*)$/.exec(line) ?? [])
  for (const [, , path = ''] of entries) folders.add(path.replaceAll('\\', '/').split('/').slice(0, -1).join('/'))
  return entries.map(([, how, path = '']) => ({ how, path: path.replaceAll('\\', '/') })).filter(({ path }) => !folders.has(path)).map(({ how, path }) => (how === 'unpack' ? `beside: ${path}` : path))
}

/** What all files of a folder weigh, in bytes. */
export const weightOf = (folder: string): number => filesBelow(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0)

/** Lays the packed program's resources out in `folder` as Electron shows them to a program: the archive as a folder, without what lies beside it but for packages. */
export const layOutAsSeen = (packed: string, folder: string): void => {
  const resources = join(packed, 'resources')
  mkdirSync(folder, { recursive: true })
  const archive = join(resources, 'app.asar')
  extractAll(archive, join(folder, 'app.asar'))
  for (const file of filesInArchive(archive)) if (file.startsWith('beside: ') && !file.includes('node_modules/')) rmSync(join(folder, 'app.asar', file.slice('beside: '.length)))
  for (const name of ['app.asar.unpacked', 'pages', 'migrations']) cpSync(join(resources, name), join(folder, name), { recursive: true })
}
