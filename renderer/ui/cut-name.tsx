import { roomOf, shownEnd } from '#renderer/lib/cut-name.ts'

/** The name of an account, cut in its middle where there is no room: accounts of a firm differ at the end, and begin with what tells the firm. The whole of it is its title. */
export const CutName = ({ name }: { name: string }) => {
  const [begin, end] = shownEnd(name)
  const room = `${String(roomOf(end))}em`
  return (
    <span title={name} className="block overflow-hidden text-left text-ellipsis whitespace-pre proportional-nums">
      <bdi>
        {end === '' ? (
          begin
        ) : (
          // Boxes in a line, so that what is copied is the name in one piece. A reader may pause between them: no name of a link or button.
          <>
            <span className="inline-block overflow-hidden align-bottom text-ellipsis" style={{ maxWidth: `calc(100% - ${room})` }}>
              {begin}
            </span>
            <span className="inline-block align-bottom" style={{ minWidth: room }}>
              {end}
            </span>
          </>
        )}
      </bdi>
    </span>
  )
}
