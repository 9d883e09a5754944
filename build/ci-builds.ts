import { buildDesktop } from './desktop.ts'
import { desktopBundle } from './desktop-bundle.ts'
import { programsFolder } from './programs-folder.ts'
import { buildPrograms } from './programs.ts'

// Once for all test runs in CI, which find them by BUILT_PROGRAMS and DESKTOP_BUNDLE.
await buildPrograms(programsFolder, 'product-and-tests')
await buildDesktop(desktopBundle)
