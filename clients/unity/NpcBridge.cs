// A connection to the npc-memory bridge for Unity and other C# games: no threads to think about.
//
// Reading and writing happen in the background; nothing is called from there. Call Update() once per frame on the game's
// main thread: words, answers and pushes are delivered from inside it.
using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.IO;
using System.Net.WebSockets;
using System.Threading;
using System.Threading.Tasks;

namespace NpcMemory
{
    /// What the bridge answered with "error".
    public sealed class BridgeException : Exception
    {
        public readonly string Code, Hint;

        public BridgeException(IDictionary<string, object> frame)
            : base((string)frame["code"] + ": " + (string)frame["message"])
        {
            Code = (string)frame["code"];
            Hint = (string)frame["hint"];
        }
    }

    /// A request under way: OnText gets the words of a reply as they come, OnLine each line of a converse (a reply),
    /// Answer completes with the frame that ends it (or fails with a BridgeException, or with what broke the connection).
    /// All of that happens inside NpcBridge.Update.
    public sealed class Request
    {
        public long Id;
        public Action<string> OnText;
        public Action<Dictionary<string, object>> OnLine;
        public readonly TaskCompletionSource<Dictionary<string, object>> Source =
            new TaskCompletionSource<Dictionary<string, object>>();
        public Task<Dictionary<string, object>> Answer { get { return Source.Task; } }
    }

    public sealed class NpcBridge : IDisposable
    {
        public const string Subprotocol = "npc-memory.v1.msgpack";

        /// Frames that answer nothing: an NPC has something on her mind, another save was loaded.
        public event Action<Dictionary<string, object>> OnPush;

        readonly ClientWebSocket socket = new ClientWebSocket();
        readonly ConcurrentQueue<Dictionary<string, object>> inbox = new ConcurrentQueue<Dictionary<string, object>>();
        readonly Dictionary<long, Request> open = new Dictionary<long, Request>();
        readonly SemaphoreSlim sending = new SemaphoreSlim(1, 1);
        volatile Exception lost;
        long last;

        public bool Connected { get { return lost == null && socket.State == WebSocketState.Open; } }

        public async Task Connect(string url)
        {
            socket.Options.AddSubProtocol(Subprotocol);
            await socket.ConnectAsync(new Uri(url), CancellationToken.None).ConfigureAwait(false);
            Task.Run(() => Read()).Forget();
        }

        public Request Hello(string client, string world, string token)
        {
            var fields = new Dictionary<string, object> { { "protocol", 1L }, { "client", client } };
            if (!string.IsNullOrEmpty(world)) fields["world"] = world;
            if (!string.IsNullOrEmpty(token)) fields["token"] = token;
            return Send("hello", fields, null);
        }

        public Request Talk(string npc, string player, string text, Action<string> onText)
        {
            return Send("talk", new Dictionary<string, object> { { "npc", npc }, { "player", player }, { "text", text } }, onText);
        }

        /// Any frame of the wire. Call it on the main thread. Throws FormatException for what the wire does not carry.
        public Request Send(string type, IDictionary<string, object> fields, Action<string> onText)
        {
            var request = new Request { Id = ++last, OnText = onText };
            var frame = new Dictionary<string, object> { { "type", type }, { "id", request.Id } };
            foreach (KeyValuePair<string, object> field in fields) frame[field.Key] = field.Value;
            byte[] message = MsgPack.Encode(frame);
            open[request.Id] = request;
            Write(message).Forget();
            return request;
        }

        /// Deliver what has come since the last call. Once per frame, on the main thread. An exception of a listener
        /// comes out here; what was behind it is delivered by the next call.
        public void Update()
        {
            Exception ended = lost; // read before the inbox: what came before the end is delivered before it
            Dictionary<string, object> frame;
            while (inbox.TryDequeue(out frame)) Deliver(frame);
            if (ended == null || open.Count == 0) return;
            var left = new List<Request>(open.Values);
            open.Clear();
            foreach (Request request in left) request.Source.TrySetException(ended);
        }

        void Deliver(Dictionary<string, object> frame)
        {
            object re;
            var type = (string)frame["type"];
            Request request;
            if (!frame.TryGetValue("re", out re)) { if (OnPush != null) OnPush(frame); return; }
            if (!open.TryGetValue((long)re, out request)) return;
            if (type == "token") { if (request.OnText != null) request.OnText((string)frame["text"]); return; }
            object kind;
            if (type == "reply" && frame.TryGetValue("kind", out kind) && (string)kind == "converse")
            {
                if (request.OnLine != null) request.OnLine(frame);
                return;
            }
            open.Remove((long)re);
            if (type == "error") request.Source.TrySetException(new BridgeException(frame));
            else request.Source.TrySetResult(frame);
        }

        async Task Write(byte[] message)
        {
            await sending.WaitAsync().ConfigureAwait(false);
            try
            {
                await socket.SendAsync(new ArraySegment<byte>(message), WebSocketMessageType.Binary, true, CancellationToken.None)
                    .ConfigureAwait(false);
            }
            catch (Exception error) { lost = error; }
            finally { sending.Release(); }
        }

        // A cancelled ReceiveAsync aborts the socket, so reading has no time limit: it ends when the connection does.
        async Task Read()
        {
            var buffer = new byte[16384];
            try
            {
                while (true)
                {
                    var message = new MemoryStream();
                    WebSocketReceiveResult got;
                    do
                    {
                        got = await socket.ReceiveAsync(new ArraySegment<byte>(buffer), CancellationToken.None).ConfigureAwait(false);
                        message.Write(buffer, 0, got.Count);
                    }
                    while (!got.EndOfMessage);
                    if (got.MessageType == WebSocketMessageType.Close)
                        throw new IOException("the bridge closed the connection (" + (int?)got.CloseStatus + ")");
                    var frame = MsgPack.Decode(message.ToArray()) as Dictionary<string, object>;
                    if (frame == null) throw new FormatException("a frame is a map");
                    inbox.Enqueue(frame);
                }
            }
            catch (Exception error) { lost = error; }
        }

        public async Task Close()
        {
            if (socket.State != WebSocketState.Open) return;
            await socket.CloseOutputAsync(WebSocketCloseStatus.NormalClosure, "", CancellationToken.None).ConfigureAwait(false);
        }

        public void Dispose() { socket.Dispose(); }
    }

    static class Tasks
    {
        /// Started and not awaited on purpose; what fails inside is kept in `lost`.
        public static void Forget(this Task task) { }
    }
}
