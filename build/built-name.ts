/** The file name of a built process or thread; `path` is below the project's root. */
export const builtName = (path: string): string => path.replaceAll('/', '-').replace(/\.ts$/, '.js')
