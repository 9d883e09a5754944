/** The name that the file of a process or thread has once it is built; `path` is below the project's root. */
export const builtName = (path: string): string => path.replaceAll('/', '-').replace(/\.ts$/, '.js')
