import { and, eq } from 'drizzle-orm'
import { importFormat, issuerOfFormat, type ImportFormat } from '#shared/imports/mapped-format.ts'
import type { Reader, Writer } from '../db/database.ts'
import { importFormats as table } from '../db/schema/imports.ts'
import type { OfUser } from '../db/rows.ts'

/** The formats of a user's own files, by name. */
export const importFormats = ({ orm }: Reader, { userId }: OfUser): ImportFormat[] =>
  orm.select().from(table).where(eq(table.userId, userId)).all()
    .flatMap(({ content }) => importFormat.safeParse(JSON.parse(content)).data ?? [])
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))

/** Saves a format in place of the one that files with this header had. */
export const saveImportFormat = ({ orm }: Writer, { userId, format }: OfUser & { readonly format: ImportFormat }): void => {
  const content = JSON.stringify(format)
  orm.insert(table).values({ userId, id: issuerOfFormat(format), content }).onConflictDoUpdate({ target: [table.userId, table.id], set: { content } }).run()
}

export const removeImportFormat = ({ orm }: Writer, { userId, id }: OfUser & { readonly id: string }): void => {
  orm.delete(table).where(and(eq(table.userId, userId), eq(table.id, id))).run()
}
