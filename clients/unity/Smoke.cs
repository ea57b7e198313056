// Finds out whether the wire suits C#: `mono smoke.exe FIXTURES [URL]`. Exit code 0 when all is well.
// FIXTURES holds frames (*.msgpack) and, below bad/, what a decoder must refuse.
using System;
using System.Collections.Generic;
using System.IO;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using NpcMemory;

static class Smoke
{
    static int failed;

    static int Main(string[] args)
    {
        // What was heard is printed as it came, whatever the locale: under C, mono would write a wolf as "??".
        Console.OutputEncoding = new UTF8Encoding(false);
        foreach (string file in Sorted(args[0], "*.msgpack")) Fixture(file);
        foreach (string file in Sorted(Path.Combine(args[0], "bad"), "*.msgpack")) Refused(file);
        NotCarried();
        if (args.Length > 1) Talk(args[1]);
        Console.WriteLine(failed == 0 ? "SMOKE OK" : "SMOKE FAILED " + failed);
        return failed == 0 ? 0 : 1;
    }

    static string[] Sorted(string folder, string pattern)
    {
        string[] files = Directory.GetFiles(folder, pattern);
        Array.Sort(files, StringComparer.Ordinal);
        return files;
    }

    static void Fixture(string file)
    {
        string name = Path.GetFileNameWithoutExtension(file);
        byte[] bytes = File.ReadAllBytes(file);
        try
        {
            byte[] again = MsgPack.Encode(MsgPack.Decode(bytes));
            Check(Same(bytes, again), "FIXTURE", name);
        }
        catch (FormatException error) { Check(false, "FIXTURE", name + " " + error.Message); }
    }

    static void Refused(string file)
    {
        bool refused;
        try { refused = !(MsgPack.Decode(File.ReadAllBytes(file)) is Dictionary<string, object>); }
        catch (FormatException) { refused = true; }
        Check(refused, "REFUSED", Path.GetFileNameWithoutExtension(file));
    }

    static void NotCarried()
    {
        var endless = new List<object>();
        endless.Add(endless);
        foreach (object value in new object[] { double.NaN, float.PositiveInfinity, 1.5m, 'c', "\ud83d", new byte[1], endless })
        {
            bool refused = false;
            try { MsgPack.Encode(value); } catch (FormatException) { refused = true; }
            Check(refused, "NOT CARRIED", value.GetType().Name);
        }
    }

    static bool Same(byte[] a, byte[] b)
    {
        if (a.Length != b.Length) return false;
        for (int i = 0; i < a.Length; i++) if (a[i] != b[i]) return false;
        return true;
    }

    static void Talk(string url)
    {
        var bridge = new NpcBridge();
        bridge.Connect(url).Wait();
        int mainThread = Thread.CurrentThread.ManagedThreadId;
        bool onMain = true;
        var words = new StringBuilder();
        Dictionary<string, object> welcome = Pump(bridge, bridge.Hello("mono smoke", "", ""));
        Check((string)welcome["type"] == "welcome", "HELLO", (string)welcome["world"]);
        Request talk = bridge.Talk("marta", "p1", "Good evening \U0001F43A, how is the king?", text =>
        {
            onMain &= Thread.CurrentThread.ManagedThreadId == mainThread;
            words.Append(text);
        });
        Request ping = bridge.Send("ping", new Dictionary<string, object>(), null);
        Dictionary<string, object> reply = Pump(bridge, talk);
        Check((string)Pump(bridge, ping)["type"] == "pong", "PING", "");
        Check((string)reply["say"] == words.ToString() && words.Length > 0, "TALK", words.ToString());
        Check(onMain, "MAIN THREAD", "");
        try { Pump(bridge, bridge.Talk("nobody", "p1", "Hi", null)); Check(false, "ERROR", "none came"); }
        catch (BridgeException error) { Check(error.Code == "unknown_id" && error.Hint != "", "ERROR", error.Message); }
        Dictionary<string, object> seen = Pump(bridge, bridge.Send("explain", new Dictionary<string, object> { { "audit", reply["audit"] } }, null));
        Check(((string)seen["prompt"]).Contains("\U0001F43A"), "EXPLAIN", "");
        Rough(bridge);
        bridge.Dispose();
    }

    static void Rough(NpcBridge bridge)
    {
        var burst = new List<Request>();
        for (int i = 0; i < 5000; i++) burst.Add(bridge.Send("ping", new Dictionary<string, object>(), null));
        foreach (Request one in burst) Pump(bridge, one);
        Check(true, "BURST", burst.Count.ToString());
        Request huge = bridge.Talk("brann", "p1", new string('x', 2 << 20), null); // beyond what a message may have
        try { Pump(bridge, huge); Check(false, "LOST", "it was answered"); }
        catch (IOException error) { Check(error.Message.Contains("1009"), "LOST", error.Message); }
        Check(!bridge.Connected, "CLOSED", "");
        bridge.Close().Wait();
    }

    // What a game's frame loop does.
    static Dictionary<string, object> Pump(NpcBridge bridge, Request request)
    {
        for (int frame = 0; frame < 12000 && !request.Answer.IsCompleted; frame++) { bridge.Update(); Thread.Sleep(5); }
        if (!request.Answer.IsCompleted) throw new TimeoutException("no answer");
        if (request.Answer.IsFaulted) throw request.Answer.Exception.InnerException;
        return request.Answer.Result;
    }

    static void Check(bool ok, string what, string detail)
    {
        if (!ok) failed++;
        Console.WriteLine(what + (ok ? " OK " : " BAD ") + detail);
    }
}
