import { cpSync, globSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { Arch, build, Platform, type Configuration } from 'electron-builder'
import { buildDesktop, desktopFolder, type ShippedPackage } from './desktop.ts'
import { carriesFeed, unreachable } from './pack-rules.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The files that each shipped package needs at run time. */
const neededFiles: Record<ShippedPackage, readonly string[]> = {
  '@electric-sql/pglite': ['package.json', 'LICENSE', 'dist/*.{js,wasm,data}', 'dist/fs/*.js'],
  '@electric-sql/pglite-prepopulatedfs': ['package.json', 'LICENSE', 'dist/index.js', 'dist/prepopulatedfs.tgz'],
  '@expo-google-fonts/anek-malayalam': ['package.json', 'LICENSE_FONT', '400Regular/*.ttf', '600SemiBold/*.ttf'],
  '@expo-google-fonts/inter': ['package.json', 'LICENSE_FONT', '400Regular/*.ttf', '600SemiBold/*.ttf'],
  'better-sqlite3': ['package.json', 'LICENSE', 'lib/**/*.js', 'prebuilds/{darwin,linux,win32}-{x64,arm64}.node'],
  keytar: ['package.json', 'LICENSE.md', 'lib/*.js', 'prebuilds/{darwin,linux,win32}-{x64,arm64}/*.node'],
}

/** Copies the shipped packages below `packages` beside the bundle in `folder`, for every system; electron-builder takes those of one. */
export const layPackages = (folder: string): void => {
  rmSync(join(folder, 'packages'), { recursive: true, force: true })
  for (const [name, patterns] of Object.entries(neededFiles)) {
    const from = join(root, 'node_modules', name)
    for (const file of globSync([...patterns], { cwd: from })) cpSync(join(from, file), join(folder, 'packages', name, file))
  }
}

// The native packages include their binaries: nothing needs to be installed, compiled or collected.
const packagesStand = () => Promise.resolve(false)

/** What to pack: for which system, and whether as installers or as the plain folder inside them. */
export type Packing = {
  readonly platform: Platform
  /** If missing, all those in electron-builder.yml. */
  readonly arch?: Arch
  readonly what: 'folder' | 'installers'
  /** The folder with `dist/desktop` and the icons; by default this project's. */
  readonly projectDir?: string
  /** Overrides electron-builder.yml. */
  readonly config?: Configuration
}

/** Packs the bundle with the packages beside it, and returns the created paths. Publishes nothing. */
export const pack = async ({ platform, arch, what, projectDir = root, config = {} }: Packing): Promise<readonly string[]> => {
  const feed = carriesFeed(process.env['FILLBOOK_UPDATES_URL']) ? {} : { publish: null }
  return build({
    projectDir,
    targets: platform.createTarget(what === 'folder' ? 'dir' : null, ...(arch === undefined ? [] : [arch])),
    publish: 'never',
    config: { extends: join(root, 'electron-builder.yml'), beforeBuild: packagesStand, ...feed, ...config },
  })
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { installers } = parseArgs({ options: { installers: { type: 'boolean', default: false } } }).values
  await buildDesktop(desktopFolder)
  layPackages(desktopFolder)
  await pack({ platform: Platform.current(), what: installers ? 'installers' : 'folder', ...(installers ? {} : { arch: process.arch === 'arm64' ? Arch.arm64 : Arch.x64 }) }).catch((error: unknown) => {
    const message = unreachable(error)
    if (message === null) throw error
    console.error(message)
    process.exitCode = 1
  })
}
