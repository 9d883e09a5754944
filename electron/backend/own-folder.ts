import { chmod, mkdir } from 'node:fs/promises'

/** Makes a folder that only its owner can look into, and closes one that is there already; on Windows the rights of the user's folder hold. */
export const ownFolder = async (path: string): Promise<void> => {
  await mkdir(path, { recursive: true, mode: 0o700 })
  await chmod(path, 0o700)
}
