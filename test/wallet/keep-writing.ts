/** A process that opens a wallet and, on demand, changes it until it is killed. Its argument is the folder. It
 *  sends `open`, then the number of each change that was stored. @module */
import { openFolder } from '../../libraries/wallet/folder.ts'

const folder = await openFolder(process.argv[2] ?? '')
process.send?.('open')
process.on('message', async () => {
  for (let number = 1; ; number++) {
    await folder.update(now => ({
      ...now,
      credentials: [
        { id: String(number), attributes: [BigInt(number)], signature: { A: 1n, e: 1n, v: 1n << 60_000n } },
      ],
    }))
    process.send?.(number)
  }
})
